import { ChevronLeft, ChevronRight, Info, Shield } from 'lucide-react';
import {
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import type { PendingApproval, SessionView } from '../../../src-preload/contract';
import { RichText, useText } from '../../messages/use-text';
import { latestDefinitionChange } from '../../state/selectors';
import { useActions, useUi } from '../../state/use-app';
import { IconButton } from '../../ui/buttons';
import { ChangeList } from '../../ui/change-list';
import { PathText } from '../../ui/path-text';
import { SentenceView } from '../../ui/sentence-view';
import { toolSentence } from '../../ui/tool-sentence';
import { useFocusLoss } from '../../ui/use-focus-loss';
import { VisibleText } from '../../ui/visible-text';
import { RequestAnswer } from './request-answer';
import { RequestArguments } from './request-arguments';
import { useClickGuard } from './use-click-guard';
import './approvals.css';

function RequestFacts(props: {
  readonly pending: PendingApproval;
  readonly workspace: string | null;
}): ReactNode {
  const { t } = useText();
  const request = props.pending.request.data;
  const server = request.origin.server;
  const where = server === undefined ? null : <VisibleText text={server} />;
  return (
    <p className="request-facts">
      <code>
        <VisibleText text={request.qualified_name ?? request.name} />
      </code>
      {where === null ? null : (
        <span>
          <RichText message="approval.server" slots={{ server: <b key="server">{where}</b> }} />
        </span>
      )}
      <span>
        <RichText
          message="approval.runs"
          slots={{ place: <b key="place">{t(`placement.${request.placement}`)}</b> }}
        />
      </span>
      <span>
        <RichText
          message="approval.can"
          slots={{ what: <b key="what">{t(`classification.${request.classification}`)}</b> }}
        />
      </span>
      {request.classification === 'write' && props.workspace !== null ? (
        <span className="break">
          <RichText
            message="approval.in_folder"
            slots={{
              folder: (
                <b key="folder">
                  <PathText path={props.workspace} />
                </b>
              ),
            }}
          />
        </span>
      ) : null}
    </p>
  );
}

function QueuePlace(props: {
  readonly at: number;
  readonly count: number;
  readonly onMove: (at: number) => void;
}): ReactNode {
  const { t } = useText();
  const { at, count, onMove } = props;
  if (count < 2) return null;
  return (
    <div className="request-queue">
      <IconButton
        small
        icon={ChevronLeft}
        label={t('approval.previous')}
        disabled={at === 0}
        onClick={() => onMove(at - 1)}
      />
      <span>{t('approval.place', { at: at + 1, total: count })}</span>
      <IconButton
        small
        icon={ChevronRight}
        label={t('approval.next')}
        disabled={at === count - 1}
        onClick={() => onMove(at + 1)}
      />
    </div>
  );
}

/** Which request of the queue is shown: the chosen one while it waits, else the oldest. */
function useCurrent(pending: readonly PendingApproval[]) {
  const actions = useActions();
  const [chosen, setChosen] = useState<string | null>(null);
  const root = useRef<HTMLElement>(null);
  const reveal = useUi((state) => state.reveal);
  const wanted = reveal?.target.type === 'approval' ? reveal.target.approval_id : null;
  const waits = pending.some((entry) => entry.approval_id === wanted);
  useEffect(() => {
    if (!reveal || wanted === null || !waits) return;
    setChosen(wanted);
    root.current?.focus();
    actions.granted(reveal.nonce);
  }, [actions, reveal, wanted, waits]);
  const found = pending.findIndex((entry) => entry.approval_id === chosen);
  return { at: Math.max(0, found), setChosen, root };
}

function Why({ pending }: { readonly pending: PendingApproval }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const { reason, call_id } = pending.request.data;
  return (
    <p className="request-why">
      <Info size={15} aria-hidden />
      <span>
        {t(`reason.${reason}`)}{' '}
        <button
          type="button"
          className="link-button"
          onClick={() => actions.point({ type: 'row', turn_id: pending.turn_id, call_id })}
        >
          {t('approval.show_row')}
        </button>
      </span>
    </p>
  );
}

/** What changed in the tool since it was allowed, field by field (S0-56). */
function Changed(props: { readonly pending: PendingApproval; readonly view: SessionView }): ReactNode {
  const { t } = useText();
  const { reason, qualified_name } = props.pending.request.data;
  const change = useMemo(
    () =>
      reason === 'definition_changed' && qualified_name !== null
        ? latestDefinitionChange(props.view, qualified_name)
        : null,
    [reason, qualified_name, props.view],
  );
  if (!change) return null;
  return (
    <div className="request-changes" tabIndex={0} role="region" aria-label={t('definition.since')}>
      <p className="muted">
        {t(change.changes.length === 0 ? 'definition.not_on_record' : 'definition.since')}
      </p>
      <ChangeList changes={change.changes} before={t('change.before')} after={t('change.after')} />
    </div>
  );
}

function Request(props: {
  readonly pending: PendingApproval;
  readonly view: SessionView;
  readonly queue: ReactNode;
  readonly onFocusLoss: () => void;
}): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const { pending, view } = props;
  const request = pending.request.data;
  const guard = useClickGuard(`${pending.approval_id} ${request.arguments_digest}`);
  const [seen, setSeen] = useState(false);
  const onSeen = useCallback((next: boolean) => setSeen(next), []);
  const state = useUi((ui) => ui.answers[pending.approval_id] ?? null);
  const sentence = toolSentence(request.qualified_name ?? request.name, request.arguments, 'asked');
  const onKeyDownCapture = (event: KeyboardEvent): void => {
    const onButton = event.target instanceof HTMLButtonElement;
    if (onButton && guard.keyRepeats(event)) event.preventDefault();
    else if (event.key === 'Enter' || event.key === ' ') guard.pressed();
  };
  const root = useRef<HTMLDivElement>(null);
  useFocusLoss(root, props.onFocusLoss);
  return (
    <div ref={root} onPointerDownCapture={() => guard.pressed()} onKeyDownCapture={onKeyDownCapture}>
      <header className="request-head">
        <Shield size={16} aria-hidden />
        <h2>
          {t(`approval.asks.${request.classification}`, {
            coworker: view.coworker?.name ?? t('conversation.coworker'),
          })}
        </h2>
        {props.queue}
      </header>
      <div className="request-body">
        <h3 className="request-sentence">
          <SentenceView sentence={sentence} />
        </h3>
        <RequestFacts pending={pending} workspace={view.workspace} />
        <RequestArguments request={request} onSeen={onSeen} />
        <Why pending={pending} />
        <Changed pending={pending} view={view} />
      </div>
      <RequestAnswer
        request={request}
        guard={guard}
        seen={seen}
        state={state}
        onAnswer={(answer) =>
          void actions.answer({
            session_id: view.session_id,
            approval_id: pending.approval_id,
            arguments_digest: request.arguments_digest,
            answer,
          })
        }
      />
    </div>
  );
}

/** Where the focus goes when the request that had it is answered: to the next one, else to the composer. */
function useNextFocus(dock: RefObject<HTMLElement | null>): () => void {
  const actions = useActions();
  const lost = useRef(false);
  useEffect(() => {
    if (!lost.current) return;
    lost.current = false;
    if (dock.current) dock.current.focus();
    else actions.point({ type: 'composer' });
  });
  return () => {
    lost.current = true;
  };
}

/** What waits for the person in this session. It takes no focus and covers nothing. */
export function ApprovalDock(props: {
  readonly view: SessionView;
  readonly pending: readonly PendingApproval[];
}): ReactNode {
  const { t } = useText();
  const { at, setChosen, root } = useCurrent(props.pending);
  const onFocusLoss = useNextFocus(root);
  const current = props.pending[at];
  if (!current) return null;
  return (
    <section
      className="approval-dock"
      ref={root}
      tabIndex={-1}
      data-region="approval"
      aria-label={t('approval.label')}
    >
      <Request
        key={current.approval_id}
        pending={current}
        view={props.view}
        onFocusLoss={onFocusLoss}
        queue={
          <QueuePlace
            at={at}
            count={props.pending.length}
            onMove={(next) => setChosen(props.pending[next]?.approval_id ?? null)}
          />
        }
      />
    </section>
  );
}
