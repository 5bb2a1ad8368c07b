import { ArrowRight, History } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { SessionStanding } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { useActions } from '../../state/use-app';
import { VisibleText } from '../../ui/visible-text';
import './standing.css';

/** What runs here is no longer what ran in this session: says which parts, and leads to the way on. */
export function StandingBanner(props: {
  readonly sessionId: string;
  readonly standing: Extract<SessionStanding, { type: 'changed' }>;
}): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const [busy, setBusy] = useState(false);
  const { parts, reason } = props.standing;
  const go = (): void => {
    if (busy) return;
    setBusy(true);
    void actions.continueAsNew(props.sessionId).finally(() => setBusy(false));
  };
  return (
    <section className="standing-banner" role="status" aria-label={t('standing.label')}>
      <History size={16} aria-hidden />
      <div className="standing-words">
        <h2>{t('standing.title')}</h2>
        {parts.length === 0 ? (
          <p>
            <VisibleText text={reason} />
          </p>
        ) : (
          <ul>
            {parts.map((part) => (
              <li key={part}>{t(`standing.part.${part}`)}</li>
            ))}
          </ul>
        )}
        <p className="muted">{t('standing.detail')}</p>
      </div>
      <button type="button" className="button primary" aria-disabled={busy} onClick={go}>
        {t('standing.continue')}
        <ArrowRight size={15} aria-hidden />
      </button>
    </section>
  );
}
