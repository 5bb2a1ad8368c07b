import { MessagesSquare } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, type ReactNode } from 'react';
import {
  openPause,
  openTurn,
  pendingApprovals,
  type CoworkerCard,
  type SessionView,
} from '../src-preload/contract';
import './app.css';
import { ActivityGroup } from './features/activity/activity-group';
import { ApprovalAnnouncer } from './features/approvals/announcer';
import { ApprovalDock } from './features/approvals/approval-dock';
import { InboxPage } from './features/approvals/inbox';
import { PauseDock } from './features/approvals/pause-dock';
import { Composer } from './features/composer/composer';
import { QueueList } from './features/composer/queue-list';
import { SessionMenus } from './features/composer/session-menus';
import { Conversation } from './features/conversation/conversation';
import type { RenderRows } from './features/conversation/turn-block';
import { CoworkerList } from './features/coworkers/coworker-list';
import { CoworkerPage } from './features/coworkers/coworker-page';
import { NewSession } from './features/coworkers/new-session';
import { FindBar } from './features/find/find-bar';
import { LedgerPage } from './features/grants/ledger-page';
import { JournalNotice } from './features/journal/journal-notice';
import { ColumnSplitter, useColumns } from './features/navigation/columns';
import { FootNav } from './features/navigation/foot-nav';
import { LeftHead } from './features/navigation/left-head';
import { Notices } from './features/notices/notices';
import { Onboarding } from './features/onboarding/onboarding';
import { PracticePanel, practiceTurn } from './features/practice/practice-panel';
import { ServerPage } from './features/servers/server-page';
import { ServersPage } from './features/servers/servers-page';
import { SessionFacts } from './features/session-facts/session-facts';
import {
  BypassWarning,
  PageBar,
  SessionHead,
  type ColumnToggles,
} from './features/session-head/session-head';
import { SessionList } from './features/sessions/session-list';
import { SettingsPage } from './features/settings/settings-page';
import { ShortcutsDialog } from './features/shortcuts/shortcuts-dialog';
import { StandingBanner } from './features/standing/standing-banner';
import { useText } from './messages/use-text';
import { listOf } from './state/host-store';
import { isPractice, seesImages, sessionChoices, withSummary } from './state/selectors';
import { loadsEarlier, type OpenSession } from './state/session-store';
import { newDraftKey } from './state/ui-store';
import { useActions, useHost, useSession, useUi } from './state/use-app';
import { useStartSession } from './state/use-start-session';
import { useStopWords } from './state/use-stop-words';
import { useAppearance, useKeptFocus, useShortcuts } from './state/use-window';
import { EffortPicker } from './ui/effort-picker';
import { ErrorBoundary } from './ui/error-boundary';
import { FailureNote } from './ui/failure-note';
import { ModelPicker } from './ui/model-picker';
import { ModePicker } from './ui/mode-picker';
import { EmptyNote, LoadingNote } from './ui/states';

function LeftColumn(): ReactNode {
  return (
    <>
      <LeftHead />
      <div className="left-scroll">
        <CoworkerList />
        <SessionList />
      </div>
      <FootNav />
    </>
  );
}

function SessionComposer(props: {
  readonly view: SessionView;
  readonly locked: boolean;
  readonly stopped: string | null;
  readonly waiting: boolean;
}): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const providers = useHost((state) => listOf(state.providers));
  const { view, locked, stopped } = props;
  const id = view.session_id;
  return (
    <Composer
      draftKey={id}
      sessionId={view.workspace === null ? null : id}
      workspace={null}
      seesImages={seesImages(providers, sessionChoices(view).model)}
      placeholder={t('composer.message', { coworker: view.coworker?.name ?? t('conversation.coworker') })}
      blocked={stopped ?? (locked ? t('standing.blocked') : null)}
      locked={locked}
      stopped={stopped !== null}
      running={openTurn(view) !== null}
      waiting={props.waiting}
      onSend={() => actions.submit(id, id)}
      onQueue={(delivery) => actions.queue(id, id, delivery)}
      onStop={() => actions.stop(id)}
      menus={locked || stopped !== null ? null : <SessionMenus view={view} />}
    />
  );
}

/** What stands below the timeline: whatever waits for the person, then the composer. */
function SessionDock({
  open,
  practice,
}: {
  readonly open: OpenSession;
  readonly practice: boolean;
}): ReactNode {
  const { t } = useText();
  const { view, standing } = open;
  const pending = useMemo(() => pendingApprovals(view), [view]);
  const acting = practice ? practiceTurn(view) : null;
  const running = openTurn(view);
  const pause = running ? openPause(running) : null;
  const changed = standing?.type === 'changed' ? standing : null;
  const stopped = useStopWords(view.session_id);
  const locked = changed !== null || stopped !== null;
  return (
    <div className="dock" data-focus-home=".composer-text">
      <ApprovalAnnouncer coworker={view.coworker?.name ?? t('conversation.coworker')} pending={pending} />
      <ApprovalDock key={view.session_id} view={view} pending={pending} />
      {pause ? <PauseDock key={pause.pause_id} view={view} pause={pause} /> : null}
      {acting ? (
        <PracticePanel
          key={`${acting.turn_id} ${acting.attempts.length}`}
          sessionId={view.session_id}
          turn={acting}
        />
      ) : null}
      {changed ? <StandingBanner sessionId={view.session_id} standing={changed} /> : null}
      <QueueList view={view} locked={locked} />
      <SessionComposer
        view={view}
        locked={changed !== null}
        stopped={stopped}
        waiting={pending.length > 0 || pause !== null}
      />
    </div>
  );
}

function OpenSessionPage({ open }: { readonly open: OpenSession }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const scroller = useRef<HTMLDivElement>(null);
  const finding = useUi((state) => state.find.open);
  const providers = useHost((state) => listOf(state.providers));
  const { view } = open;
  const id = view.session_id;
  const { model, mode } = sessionChoices(view);
  const practice = model !== null && isPractice(providers, model.provider);
  const stopped = useStopWords(id) !== null;
  const renderRows = useCallback<RenderRows>(
    (turn, rows) => <ActivityGroup sessionId={id} turn={turn} rows={rows} />,
    [id],
  );
  return (
    <>
      {mode === 'bypass' ? <BypassWarning onAsk={() => actions.setMode(id, 'ask')} /> : null}
      {finding ? <FindBar scroller={scroller} version={view} /> : null}
      <Conversation
        view={view}
        practice={practice}
        loadsEarlier={loadsEarlier(open)}
        locked={open.standing?.type === 'changed' || stopped}
        all={finding}
        scroller={scroller}
        renderRows={renderRows}
        empty={
          <EmptyNote
            icon={MessagesSquare}
            title={t('conversation.empty', { coworker: view.coworker?.name ?? t('conversation.coworker') })}
          >
            <p>{t('conversation.empty.detail')}</p>
          </EmptyNote>
        }
      />
      <SessionDock open={open} practice={practice} />
    </>
  );
}

function SessionPage({
  sessionId,
  columns,
}: {
  readonly sessionId: string;
  readonly columns: ColumnToggles;
}): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const open = useSession(sessionId);
  useEffect(() => {
    actions.follow(sessionId);
    void actions.checkStanding(sessionId);
  }, [actions, sessionId]);
  const summary = useHost((state) =>
    state.sessions.status === 'ready' ? (state.sessions.value.get(sessionId) ?? null) : null,
  );
  const shownSession = useMemo(
    () => open && { ...open, view: withSummary(open.view, summary) },
    [open, summary],
  );
  const view = shownSession?.view;
  const shown =
    view !== undefined && (open?.caughtUp === true || view.turns.size > 0 || open?.view.created_at != null);
  return (
    <>
      <Top columns={columns} withRight>
        {view && shown ? <SessionHead view={view} /> : null}
      </Top>
      {open?.error ? (
        <div className="page-inner">
          <FailureNote failure={open.error} announce>
            <button type="button" className="button small" onClick={() => actions.refollow(sessionId)}>
              {t('common.try_again')}
            </button>
          </FailureNote>
        </div>
      ) : null}
      {shownSession && shown ? <OpenSessionPage key={sessionId} open={shownSession} /> : null}
      {!shown && !open?.error ? <LoadingNote label={t('session.loading')} /> : null}
    </>
  );
}

function NewPage(): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const { start, chooseModel, send } = useStartSession();
  const coworker: CoworkerCard | null = start.coworker;
  const stopped = useStopWords(null);
  const composer = (
    <Composer
      draftKey={newDraftKey}
      sessionId={null}
      workspace={start.workspace}
      seesImages={seesImages(start.providers, start.model)}
      placeholder={coworker ? t('composer.message', { coworker: coworker.name }) : t('new.choose_first')}
      blocked={stopped ?? (coworker ? null : t('new.choose_first'))}
      stopped={stopped !== null}
      running={false}
      waiting={false}
      onSend={send}
      onStop={() => undefined}
      menus={
        <>
          <ModePicker mode={start.mode} side="above" onChoose={(mode) => actions.choose({ mode })} />
          <ModelPicker
            providers={start.providers}
            model={start.model}
            side="above"
            onSettings={() => actions.goTo({ type: 'settings', section: 'models' })}
            onChoose={chooseModel}
          />
          {start.efforts.length === 0 ? null : (
            <EffortPicker
              efforts={start.efforts}
              effort={start.effort}
              side="above"
              onChoose={(effort) => actions.choose({ effort })}
            />
          )}
        </>
      }
    />
  );
  return (
    <NewSession
      coworker={coworker}
      practice={isPractice(start.providers, start.model.provider)}
      model={start.model}
      replaced={start.replaced}
      composer={composer}
    />
  );
}

/** The bar with, below it, what went wrong on this page. */
function Top(props: Parameters<typeof PageBar>[0]): ReactNode {
  return (
    <>
      <PageBar {...props} />
      <JournalNotice />
      <Notices />
    </>
  );
}

function Page({ columns }: { readonly columns: ColumnToggles }): ReactNode {
  const page = useUi((state) => state.page);
  if (page.type === 'session') return <SessionPage sessionId={page.session_id} columns={columns} />;
  const bar = <Top key="top" columns={columns} withRight={false} />;
  switch (page.type) {
    case 'new':
      return [bar, <NewPage key="page" />];
    case 'coworker':
      return [bar, <CoworkerPage key={page.coworker_id} coworkerId={page.coworker_id} />];
    case 'inbox':
      return [bar, <InboxPage key="page" />];
    case 'servers':
      return [bar, <ServersPage key="page" />];
    case 'server':
      return [bar, <ServerPage key={page.name} name={page.name} />];
    case 'grants':
      return [bar, <LedgerPage key="page" />];
    case 'settings':
      return [bar, <SettingsPage key="page" section={page.section} />];
  }
}

function RightColumn({ sessionId }: { readonly sessionId: string }): ReactNode {
  const open = useSession(sessionId);
  return <div className="right-scroll">{open ? <SessionFacts open={open} /> : <LoadingNote />}</div>;
}

function Shell(): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const columns = useColumns();
  const page = useUi((state) => state.page);
  const layout = useUi((state) => state.layout);
  const drawer = useUi((state) => state.drawer);
  useShortcuts(columns.toggle);
  const sessionId = page.type === 'session' ? page.session_id : null;
  const rightShown = columns.rightShown && sessionId !== null;
  const { narrow } = columns;
  return (
    <div className="shell">
      {columns.leftShown ? (
        <nav
          className={narrow.left ? 'column-left drawer' : 'column-left'}
          aria-label={t('columns.left')}
          style={{ width: layout.left.width }}
        >
          <ErrorBoundary resetKey="left">
            <LeftColumn />
          </ErrorBoundary>
          {narrow.left ? null : <ColumnSplitter side="left" />}
        </nav>
      ) : null}
      <main className="column-middle" tabIndex={-1} data-focus-home=".conversation-scroll">
        <ErrorBoundary resetKey={JSON.stringify(page)}>
          <Page columns={columns} />
        </ErrorBoundary>
      </main>
      {rightShown && sessionId !== null ? (
        <aside
          className={narrow.right ? 'column-right drawer' : 'column-right'}
          aria-label={t('columns.right')}
          style={{ width: layout.right.width }}
        >
          <ErrorBoundary resetKey={sessionId}>
            <RightColumn sessionId={sessionId} />
          </ErrorBoundary>
          {narrow.right ? null : <ColumnSplitter side="right" />}
        </aside>
      ) : null}
      {drawer === 'none' ? null : (
        <button
          type="button"
          className="drawer-scrim"
          aria-label={t('columns.close')}
          onClick={actions.closeDrawer}
        />
      )}
    </div>
  );
}

/** The whole window. Features know nothing of one another; here they meet. */
export function App(): ReactNode {
  useAppearance();
  useKeptFocus();
  const settings = useHost((state) => state.settings);
  const dialog = useUi((state) => state.dialog);
  const mac = useHost((state) => state.info.status === 'ready' && state.info.value.platform === 'darwin');
  const onboarding = settings.status === 'ready' && !settings.value.onboarded;
  return (
    <>
      {onboarding ? <Onboarding notices={<Notices />} /> : <Shell />}
      {dialog === 'shortcuts' ? <ShortcutsDialog mac={mac} /> : null}
    </>
  );
}
