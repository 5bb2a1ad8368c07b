import { useEffect, useRef, useState, type ReactNode } from 'react';
import { rowState, type CallRow, type Failure, type TurnView } from '../../../src-preload/contract';
import { formatTime } from '../../messages/format';
import { useText } from '../../messages/use-text';
import type { OpenSession } from '../../state/session-store';
import type { Settlement } from '../../state/turn-actions';
import { useActions, useSession } from '../../state/use-app';
import { FailureNote } from '../../ui/failure-note';
import { NoteField } from '../../ui/note-field';
import { VisibleText } from '../../ui/visible-text';

/** What asks: a call that ended by itself wants an answer; one that was stopped only takes it. */
export type Question = 'outcome_unknown' | 'cancelled_may_have_run';

/** The question about a call which may have taken effect and about which no person has spoken; null for any other. */
export function settleQuestion(row: CallRow, turn: TurnView): Question | null {
  if (row.settled !== null) return null;
  const state = rowState(row, turn);
  return state === 'outcome_unknown' || state === 'cancelled_may_have_run' ? state : null;
}

/** What the person said of a call whose outcome was unknown. */
export function SettledLine({ row }: { readonly row: CallRow }): ReactNode {
  const { t, language } = useText();
  const { settled } = row;
  if (!settled) return null;
  return (
    <p className="settled-line">
      {t(`settled.${settled.data.settlement}`, { time: formatTime(settled.at, language) })}
      {settled.data.note === '' ? null : (
        <q>
          <VisibleText text={settled.data.note} />
        </q>
      )}
    </p>
  );
}

/** Whether the person has asked to have this call run again, in a turn that is not over. */
function isAskedAgain(session: OpenSession | null, row: CallRow): boolean {
  return [...(session?.view.turns.values() ?? [])].some(
    ({ rerun, finished }) =>
      finished === null && rerun?.data.of.turn_id === row.turn_id && rerun.data.of.call_id === row.call_id,
  );
}

/** Why the call cannot be run again here; null where it can. */
function againRefused(open: OpenSession | null, row: CallRow): 'changed' | 'no_arguments' | null {
  if (open?.standing?.type === 'changed') return 'changed';
  return row.proposed?.arguments === null ? 'no_arguments' : null;
}

interface SettleProps {
  readonly sessionId: string;
  readonly row: CallRow;
  readonly question: Question;
}

/** The person's word on the call, and what came of sending it. */
function useSettle({ sessionId, row }: SettleProps) {
  const actions = useActions();
  const [note, setNote] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Failure | null>(null);
  const settle = async (settlement: Settlement): Promise<void> => {
    if (busy) return;
    setBusy(true);
    const { turn_id, call_id } = row;
    setError(await actions.settle({ session_id: sessionId, turn_id, call_id, settlement, note: note ?? '' }));
    setBusy(false);
  };
  return { note, setNote, busy, error, settle };
}

/**
 * Asks once more before a call runs a second time. The focus goes to the question, so that a key that is still held
 * confirms nothing, and back to the button when the person cancels.
 */
function useAgain() {
  const [again, setAgain] = useState(false);
  const group = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const was = useRef(again);
  useEffect(() => {
    if (was.current === again) return;
    was.current = again;
    (again ? group : button).current?.focus();
  }, [again]);
  return { again, setAgain, group, button };
}

function SettleButtons(props: {
  readonly settling: ReturnType<typeof useSettle>;
  readonly asking: ReturnType<typeof useAgain>;
  readonly look: string;
  readonly refused: boolean;
}): ReactNode {
  const { t } = useText();
  const { look, refused } = props;
  const { busy, note, setNote, settle } = props.settling;
  const { again, setAgain, button: againButton } = props.asking;
  const button = (
    label: string,
    onClick: () => void,
    className = look,
    ref?: typeof againButton,
  ): ReactNode => (
    <button type="button" className={className} aria-disabled={busy} ref={ref} onClick={onClick}>
      {label}
    </button>
  );
  return (
    <div className="settle-buttons">
      {again ? (
        <>
          {button(t('settle.again.confirm'), () => void settle('run_again'), 'button small primary')}
          {button(t('common.cancel'), () => setAgain(false), 'button small')}
        </>
      ) : (
        <>
          {button(t('settle.happened'), () => void settle('happened'))}
          {button(t('settle.did_not_happen'), () => void settle('did_not_happen'))}
          {refused ? null : button(t('settle.again'), () => setAgain(true), look, againButton)}
        </>
      )}
      {note === null ? button(t('approval.add_note'), () => setNote(''), 'button quiet small') : null}
    </div>
  );
}

function SettleForm(props: SettleProps): ReactNode {
  const { t } = useText();
  const settling = useSettle(props);
  const asking = useAgain();
  const refused = againRefused(useSession(props.sessionId), props.row);
  const quiet = props.question === 'cancelled_may_have_run';
  const question = quiet ? 'settle.question.stopped' : 'settle.question';
  return (
    <div
      className={quiet ? 'settle-call quiet' : 'settle-call'}
      role="group"
      aria-label={t('settle.label')}
      ref={asking.group}
      tabIndex={-1}
    >
      <p>{t(asking.again ? 'settle.again.detail' : question)}</p>
      {settling.note === null ? null : (
        <NoteField
          className="settle-note"
          label={t('settle.note')}
          hint={t('settle.note.hint')}
          note={settling.note}
          onChange={settling.setNote}
        />
      )}
      <SettleButtons
        settling={settling}
        asking={asking}
        look={quiet ? 'button quiet small' : 'button small'}
        refused={refused !== null}
      />
      {refused === null ? null : <p className="settle-refused">{t(`settle.again.${refused}`)}</p>}
      {settling.error ? <FailureNote failure={settling.error} announce /> : null}
    </div>
  );
}

/** The person looks, and says what became of a call; or has it run again, after a fresh permission. */
export function SettleCall(props: SettleProps): ReactNode {
  const { t } = useText();
  const askedAgain = isAskedAgain(useSession(props.sessionId), props.row);
  return askedAgain ? <p className="settled-line">{t('settle.again.asked')}</p> : <SettleForm {...props} />;
}
