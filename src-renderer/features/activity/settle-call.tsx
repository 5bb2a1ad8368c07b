import { useState, type ReactNode } from 'react';
import type { CallRow, Failure } from '../../../src-preload/contract';
import { formatTime } from '../../messages/format';
import { useText } from '../../messages/use-text';
import type { OpenSession } from '../../state/session-store';
import type { Settlement } from '../../state/turn-actions';
import { useActions, useSession } from '../../state/use-app';
import { FailureNote } from '../../ui/failure-note';
import { NoteField } from '../../ui/note-field';
import { VisibleText } from '../../ui/visible-text';

/** A call whose outcome nobody knows and about which no person has spoken. */
export function canSettle(row: CallRow): boolean {
  return row.finished?.data.outcome === 'outcome_unknown' && row.settled === null;
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

/** The person looks, and says what became of a call; or has it run again, after a fresh permission. */
export function SettleCall(props: { readonly sessionId: string; readonly row: CallRow }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const { sessionId, row } = props;
  const askedAgain = isAskedAgain(useSession(sessionId), row);
  const [note, setNote] = useState<string | null>(null);
  const [again, setAgain] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Failure | null>(null);
  const settle = async (settlement: Settlement): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setError(
      await actions.settle({
        session_id: sessionId,
        turn_id: row.turn_id,
        call_id: row.call_id,
        settlement,
        note: note ?? '',
      }),
    );
    setBusy(false);
  };
  if (askedAgain) return <p className="settled-line">{t('settle.again.asked')}</p>;
  const button = (label: string, onClick: () => void, look = 'button small'): ReactNode => (
    <button type="button" className={look} aria-disabled={busy} onClick={onClick}>
      {label}
    </button>
  );
  return (
    <div className="settle-call" role="group" aria-label={t('settle.label')}>
      <p>{t(again ? 'settle.again.detail' : 'settle.question')}</p>
      {note === null ? null : (
        <NoteField
          className="settle-note"
          label={t('settle.note')}
          hint={t('settle.note.hint')}
          note={note}
          onChange={setNote}
        />
      )}
      <div className="settle-buttons">
        {again ? (
          <>
            {button(t('settle.again.confirm'), () => void settle('run_again'), 'button small primary')}
            {button(t('common.cancel'), () => setAgain(false))}
          </>
        ) : (
          <>
            {button(t('settle.happened'), () => void settle('happened'))}
            {button(t('settle.did_not_happen'), () => void settle('did_not_happen'))}
            {button(t('settle.again'), () => setAgain(true))}
          </>
        )}
        {note === null ? button(t('approval.add_note'), () => setNote(''), 'button quiet small') : null}
      </div>
      {error ? <FailureNote failure={error} announce /> : null}
    </div>
  );
}
