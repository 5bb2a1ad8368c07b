import { MessagesSquare } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, type ReactNode } from 'react';
import { openTurn, pendingApprovals, type CoworkerCard, type SessionView } from '../src-preload/contract';
import './app.css';
import { ActivityGroup } from './features/activity/activity-group';
import { ApprovalAnnouncer } from './features/approvals/announcer';
import { ApprovalDock } from './features/approvals/approval-dock';
import { InboxPage } from './features/approvals/inbox';
import { Composer } from './features/composer/composer';
import { Conversation } from './features/conversation/conversation';
import type { RenderRows } from './features/conversation/turn-block';
import { CoworkerList } from './features/coworkers/coworker-list';
import { CoworkerPage } from './features/coworkers/coworker-page';
import { NewSession } from './features/coworkers/new-session';
import { FindBar } from './features/find/find-bar';
import { FootNav } from './features/navigation/foot-nav';
import { LeftHead } from './features/navigation/left-head';
import { Notices } from './features/notices/notices';
import { Onboarding } from './features/onboarding/onboarding';
import { PracticePanel, practiceTurn } from './features/practice/practice-panel';
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
import { useText } from './messages/use-text';
import { listOf } from './state/host-store';
import { columnLimits, defaultLayout } from './state/layout';
import { isPractice, seesImages } from './state/selectors';
import { newDraftKey } from './state/ui-store';
import { useActions, useHost, useSession, useUi } from './state/use-app';
import { useStartSession } from './state/use-start-session';
import { useAppearance, useMedia, useShortcuts } from './state/use-window';
import { ErrorBoundary } from './ui/error-boundary';
import { FailureNote } from './ui/failure-note';
import { ModelPicker } from './ui/model-picker';
import { ModePicker } from './ui/mode-picker';
import { Splitter } from './ui/splitter';
import { EmptyNote, LoadingNote } from './ui/states';

const renderRows: RenderRows = (turn, rows) => <ActivityGroup turn={turn} rows={rows} />;

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

function SessionComposer({ view }: { readonly view: SessionView }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const providers = useHost((state) => listOf(state.providers));
  const id = view.session_id;
  const running = openTurn(view) !== null;
  const waiting = pendingApprovals(view).length > 0;
  const settings = (): void => actions.goTo({ type: 'settings', section: 'models' });
  return (
    <Composer
      draftKey={id}
      sessionId={view.workspace === null ? null : id}
      workspace={null}
      seesImages={seesImages(providers, view.model?.data ?? null)}
      placeholder={t('composer.message', { coworker: view.coworker?.name ?? t('conversation.coworker') })}
      blocked={running ? t('composer.blocked') : null}
      running={running}
      waiting={waiting}
      onSend={() => actions.submit(id, id)}
      onStop={() => actions.stop(id)}
      menus={
        <>
          <ModePicker
            mode={view.mode?.data ?? 'ask'}
            side="above"
            onChoose={(mode) => actions.setMode(id, mode)}
          />
          <ModelPicker
            providers={providers}
            model={view.model?.data ?? null}
            side="above"
            onSettings={settings}
            onChoose={(model) => actions.setModel(id, model)}
          />
        </>
      }
    />
  );
}

function OpenSessionPage({ view }: { readonly view: SessionView }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const scroller = useRef<HTMLDivElement>(null);
  const finding = useUi((state) => state.find.open);
  const providers = useHost((state) => listOf(state.providers));
  const pending = useMemo(() => pendingApprovals(view), [view]);
  const practice = view.model !== null && isPractice(providers, view.model.data.provider);
  const acting = practice ? practiceTurn(view) : null;
  const coworker = view.coworker?.name ?? t('conversation.coworker');
  return (
    <>
      {view.mode?.data === 'bypass' ? (
        <BypassWarning onAsk={() => actions.setMode(view.session_id, 'ask')} />
      ) : null}
      {finding ? <FindBar scroller={scroller} version={view} /> : null}
      <Conversation
        view={view}
        practice={practice}
        scroller={scroller}
        renderRows={renderRows}
        empty={
          <EmptyNote icon={MessagesSquare} title={t('conversation.empty', { coworker })}>
            <p>{t('conversation.empty.detail')}</p>
          </EmptyNote>
        }
      />
      <div className="dock">
        <ApprovalAnnouncer coworker={coworker} pending={pending} />
        <ApprovalDock key={view.session_id} view={view} pending={pending} />
        {acting ? (
          <PracticePanel
            key={`${acting.turn_id} ${acting.attempts.length}`}
            sessionId={view.session_id}
            turn={acting}
          />
        ) : null}
        <SessionComposer view={view} />
      </div>
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
  useEffect(() => actions.follow(sessionId), [actions, sessionId]);
  const view = open?.view;
  const shown =
    view !== undefined && (open?.caughtUp === true || view.turns.size > 0 || view.created_at !== null);
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
      {shown && view ? <OpenSessionPage key={sessionId} view={view} /> : null}
      {!shown && !open?.error ? <LoadingNote label={t('session.loading')} /> : null}
    </>
  );
}

function NewPage(): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const { start, chooseModel, send } = useStartSession();
  const coworker: CoworkerCard | null = start.coworker;
  const composer = (
    <Composer
      draftKey={newDraftKey}
      sessionId={null}
      workspace={start.workspace}
      seesImages={seesImages(start.providers, start.model)}
      placeholder={coworker ? t('composer.message', { coworker: coworker.name }) : t('new.choose_first')}
      blocked={coworker ? null : t('new.choose_first')}
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
    case 'settings':
      return [bar, <SettingsPage key="page" section={page.section} />];
  }
}

function RightColumn({ sessionId }: { readonly sessionId: string }): ReactNode {
  const open = useSession(sessionId);
  return <div className="right-scroll">{open ? <SessionFacts view={open.view} /> : <LoadingNote />}</div>;
}

function useColumns(): ColumnToggles & {
  readonly narrow: { readonly left: boolean; readonly right: boolean };
} {
  const actions = useActions();
  const layout = useUi((state) => state.layout);
  const drawer = useUi((state) => state.drawer);
  const narrowLeft = useMedia('(max-width: 719px)');
  const narrowRight = useMedia('(max-width: 1079px)');
  const toggle = useCallback(
    (side: 'left' | 'right') => actions.toggleColumn(side, side === 'left' ? narrowLeft : narrowRight),
    [actions, narrowLeft, narrowRight],
  );
  return {
    leftShown: narrowLeft ? drawer === 'left' : layout.left.open,
    rightShown: narrowRight ? drawer === 'right' : layout.right.open,
    toggle,
    narrow: { left: narrowLeft, right: narrowRight },
  };
}

function ColumnSplitter({ side }: { readonly side: 'left' | 'right' }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const width = useUi((state) => state.layout[side].width);
  return (
    <Splitter
      side={side}
      label={t(`columns.resize_${side}`)}
      width={width}
      {...columnLimits[side]}
      initial={defaultLayout[side].width}
      onResize={(next) => actions.resize(side, next)}
    />
  );
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
      <main className="column-middle">
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
