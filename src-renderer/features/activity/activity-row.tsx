import { ChevronRight } from 'lucide-react';
import { memo, useEffect, useId, useRef, useState, type ReactNode } from 'react';
import {
  rowArguments,
  rowName,
  rowProgress,
  rowState,
  waitingApproval,
  type CallRow,
  type RowState,
  type TurnView,
} from '../../../src-preload/contract';
import { formatDuration } from '../../messages/format';
import { useText } from '../../messages/use-text';
import { useActions, useUi } from '../../state/use-app';
import { SentenceIconView, SentenceView } from '../../ui/sentence-view';
import { splitName, toolSentence, type Tense } from '../../ui/tool-sentence';
import { VisibleText } from '../../ui/visible-text';
import { guardrailFacts, strongestAction } from './guardrail-facts';
import { RowDetails } from './row-details';
import { SettleCall, SettledLine, settleQuestion } from './settle-call';
import { StateChip } from './state-chip';

function tenseOf(state: RowState): Tense {
  if (state === 'completed') return 'done';
  return state === 'running' ? 'doing' : 'asked';
}

/** Time since a call began, counted while it is on the screen. */
function Elapsed({ since }: { readonly since: string }): ReactNode {
  const { t, language } = useText();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return formatDuration(Math.max(0, now - Date.parse(since)), t, language);
}

function Duration({ row, state }: { readonly row: CallRow; readonly state: RowState }): ReactNode {
  const { t, language } = useText();
  const duration = row.finished?.data.duration_ms;
  if (duration != null) return <span className="row-time">{formatDuration(duration, t, language)}</span>;
  if (state !== 'running' || !row.started) return null;
  return (
    <span className="row-time">
      <Elapsed since={row.started.at} />
    </span>
  );
}

function LiveProgress({ row }: { readonly row: CallRow }): ReactNode {
  const { t } = useText();
  const last = rowProgress(row).at(-1);
  if (!last) return null;
  const share =
    last.fraction === undefined ? null : Math.round(Math.min(1, Math.max(0, last.fraction)) * 100);
  return (
    <span className="row-progress">
      <span className="truncate">
        <VisibleText text={last.message} />
      </span>
      {share === null ? null : <progress value={share} max={100} aria-label={t('activity.progress')} />}
    </span>
  );
}

/** Why it failed, in one line; the whole of it stands in the opened row. */
function ErrorLine({ row }: { readonly row: CallRow }): ReactNode {
  const line = row.finished?.data.error?.message.split('\n', 1)[0];
  if (line === undefined || line.trim() === '') return null;
  return (
    <p className="row-error truncate" title={line}>
      <VisibleText text={line} />
    </p>
  );
}

/** Scrolls to the row and opens it when something points at it. */
function useRevealed(row: CallRow, open: () => void) {
  const actions = useActions();
  const button = useRef<HTMLButtonElement>(null);
  const reveal = useUi((state) => {
    const target = state.reveal?.target;
    const mine = target?.type === 'row' && target.call_id === row.call_id && target.turn_id === row.turn_id;
    return mine ? state.reveal?.nonce : null;
  });
  useEffect(() => {
    if (reveal == null) return;
    open();
    button.current?.scrollIntoView({ block: 'center' });
    button.current?.focus();
    actions.granted(reveal);
    // `open` is made anew with each drawing; the wish alone counts.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [reveal]);
  return button;
}

/** Says in the line itself that a guardrail changed something. */
function GuardTag({ row }: { readonly row: CallRow }): ReactNode {
  const { t } = useText();
  const action = strongestAction(guardrailFacts(row));
  return action === null ? null : <span className="tag">{t(`guardrail.tag.${action}`)}</span>;
}

function WaitingLine({ approvalId }: { readonly approvalId: string }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  return (
    <button
      type="button"
      className="link-button small row-to-request"
      onClick={() => actions.point({ type: 'approval', approval_id: approvalId })}
    >
      {t('activity.to_request')}
    </button>
  );
}

/** One call in one line; opening it shows everything that is known of it. */
export const ActivityRow = memo(function ActivityRow(props: {
  readonly sessionId: string;
  readonly turn: TurnView;
  readonly row: CallRow;
}): ReactNode {
  const { t } = useText();
  const { row, turn, sessionId } = props;
  const [open, setOpen] = useState(false);
  const detailsId = useId();
  const button = useRevealed(row, () => setOpen(true));
  const state = rowState(row, turn);
  const name = rowName(row);
  const fact = rowArguments(row);
  const sentence = toolSentence(name, fact.type === 'value' ? fact.value : null, tenseOf(state));
  const waiting = waitingApproval(row, turn);
  const question = settleQuestion(row, turn);
  const server = row.started?.data.origin.server ?? splitName(name).namespace;
  return (
    <li className={`activity-row ${state}`} data-call-id={row.call_id} data-focus-home=".row-toggle">
      <div className="row-line">
        <button
          ref={button}
          type="button"
          className="row-toggle"
          aria-expanded={open}
          aria-controls={open ? detailsId : undefined}
          onClick={() => setOpen(!open)}
        >
          <ChevronRight size={13} aria-hidden className={open ? 'row-fold turned' : 'row-fold'} />
          <SentenceIconView icon={sentence.icon} />
          <span className="row-sentence">
            <SentenceView sentence={sentence} />
          </span>
          {server === null ? null : (
            <span className="row-server truncate" title={t('activity.server')}>
              <VisibleText text={server} />
            </span>
          )}
          <GuardTag row={row} />
          <Duration row={row} state={state} />
          <StateChip state={state} />
        </button>
        {waiting ? <WaitingLine approvalId={waiting.approval_id} /> : null}
      </div>
      {state === 'running' ? <LiveProgress row={row} /> : null}
      {!open && (state === 'failed' || state === 'rejected') ? <ErrorLine row={row} /> : null}
      <SettledLine row={row} />
      {question ? <SettleCall sessionId={sessionId} row={row} question={question} /> : null}
      {open ? <RowDetails id={detailsId} sessionId={sessionId} turn={turn} row={row} /> : null}
    </li>
  );
});
