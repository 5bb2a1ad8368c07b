import { CircleStop, PlugZap } from 'lucide-react';
import type { ReactNode } from 'react';
import { turnEnd, type TurnView } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { FailureNote } from '../../ui/failure-note';

/** How a turn ended, where it did not simply complete: what happened, what was kept, what to do. */
export function TurnEnd({ turn }: { readonly turn: TurnView }): ReactNode {
  const { t } = useText();
  const finished = turnEnd(turn);
  if (!finished || finished.outcome === 'completed') return null;
  if (finished.outcome === 'failed') {
    const already = turn.attempts.at(-1)?.failed?.data.error;
    const same = already && finished.error && already.message === finished.error.message;
    const failure = finished.error ?? { code: 'internal', message: t('turn.failed.unknown') };
    if (same) return <p className="turn-end bad">{t('turn.failed.next')}</p>;
    return (
      <FailureNote failure={failure}>
        <p className="muted">{t('turn.failed.next')}</p>
      </FailureNote>
    );
  }
  const stopped = finished.outcome === 'stopped';
  const Icon = stopped ? CircleStop : PlugZap;
  return (
    <p className="turn-end">
      <Icon size={15} aria-hidden />
      <span>{stopped ? t('turn.stopped') : t('turn.interrupted')}</span>
    </p>
  );
}
