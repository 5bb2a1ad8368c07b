import { Play, RefreshCw } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { TurnView } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { useActions } from '../../state/use-app';
import { CopyButton } from '../../ui/buttons';

function answerOf(turn: TurnView): string {
  return turn.attempts
    .map((attempt) => attempt.message?.data.text ?? '')
    .filter((text) => text !== '')
    .join('\n\n');
}

/** What can be done with the answer of a turn: copy it; at the head, ask again or go on from where it ended. */
export function TurnTools(props: {
  readonly sessionId: string;
  readonly turn: TurnView;
  readonly regenerates: string | null;
  readonly retries: boolean;
}): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const [busy, setBusy] = useState(false);
  const { sessionId, regenerates, retries } = props;
  const answer = answerOf(props.turn);
  const act = (what: () => Promise<boolean>): void => {
    if (busy) return;
    setBusy(true);
    void what().finally(() => setBusy(false));
  };
  if (answer === '' && regenerates === null && !retries) return null;
  return (
    <div className={regenerates !== null || retries ? 'turn-tools' : 'turn-tools hover-only'}>
      {retries ? (
        <button
          type="button"
          className="button small"
          aria-disabled={busy}
          onClick={() => act(() => actions.retry(sessionId))}
        >
          <Play size={13} aria-hidden />
          {t('turn.go_on')}
        </button>
      ) : null}
      {regenerates === null ? null : (
        <button
          type="button"
          className="button quiet small"
          aria-disabled={busy}
          title={t('turn.regenerate_hint')}
          onClick={() => act(() => actions.regenerate(sessionId, regenerates))}
        >
          <RefreshCw size={13} aria-hidden />
          {t('turn.regenerate')}
        </button>
      )}
      {answer === '' ? null : <CopyButton text={answer} label={t('turn.copy')} copy={actions.copy} />}
    </div>
  );
}
