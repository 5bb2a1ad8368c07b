import { useEffect, useState, type ReactNode } from 'react';
import { useText } from '../../messages/use-text';
import { LoadingNote } from '../../ui/states';

/** Before this nothing is said: an answer is about to come. From the second on the person can stop waiting. */
const [sayAfterMs, stopAfterMs] = [300, 3000];

/** Milliseconds since the component came, told often enough to say seconds. */
function useElapsed(): number {
  const [elapsed, setElapsed] = useState(0);
  useEffect(() => {
    const start = performance.now();
    const timer = setInterval(() => setElapsed(performance.now() - start), sayAfterMs);
    return () => clearInterval(timer);
  }, []);
  return elapsed;
}

/** Says what is waited for, once that takes long enough to be noticed. */
export function AskingNote({ onStop }: { readonly onStop: () => void }): ReactNode {
  const { t } = useText();
  const elapsed = useElapsed();
  if (elapsed < sayAfterMs) return null;
  return (
    <div className="asking-note">
      <LoadingNote label={t('server_tools.asking')} />
      {elapsed < stopAfterMs ? null : (
        <>
          <span className="muted small">
            {t('server_tools.asking_long', { seconds: Math.floor(elapsed / 1000) })}
          </span>
          <button type="button" className="button small" onClick={onStop}>
            {t('server_tools.stop')}
          </button>
        </>
      )}
    </div>
  );
}
