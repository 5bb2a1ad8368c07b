import { CircleStop, PlugZap } from 'lucide-react';
import type { ReactNode } from 'react';
import { turnEnd, type TurnView } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { FailureNote } from '../../ui/failure-note';

/** The person has said of every call of unknown outcome what became of it. */
function isSettled(turn: TurnView): boolean {
  const unknown = [...turn.rows.values()].filter((row) => row.finished?.data.outcome === 'outcome_unknown');
  return unknown.length > 0 && unknown.every((row) => row.settled !== null);
}

/** How a turn ended, where it did not simply complete: what happened, what was kept, what to do. */
export function TurnEnd({
  turn,
  retries,
}: {
  readonly turn: TurnView;
  /** A button below leads on from here. */
  readonly retries: boolean;
}): ReactNode {
  const { t } = useText();
  const finished = turnEnd(turn);
  const ofModel = /^(model_|context_)/.test(finished?.error?.code ?? '');
  const next = t(retries ? (ofModel ? 'turn.next.model' : 'turn.next.go_on') : 'turn.kept');
  if (!finished || finished.outcome === 'completed') return null;
  if (finished.outcome === 'failed') {
    const already = turn.attempts.at(-1)?.failed?.data.error;
    const same = already && finished.error && already.message === finished.error.message;
    const failure = finished.error ?? { code: 'internal', message: t('turn.failed.unknown') };
    if (failure.code === 'outcome_unknown' && isSettled(turn)) {
      return <p className="turn-end">{t('turn.settled')}</p>;
    }
    if (same) return <p className="turn-end">{next}</p>;
    return (
      <FailureNote failure={failure}>
        <p className="muted">{next}</p>
      </FailureNote>
    );
  }
  const stopped = finished.outcome === 'stopped';
  const Icon = stopped ? CircleStop : PlugZap;
  return (
    <p className="turn-end">
      <Icon size={15} aria-hidden />
      <span>
        {t(stopped ? 'turn.stopped' : 'turn.interrupted')} {t(retries ? 'turn.next.go_on' : 'turn.kept')}
      </span>
    </p>
  );
}
