import { Undo2 } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { grantUnusedDays, type SessionView } from '../../../src-preload/contract';
import { useText, type Text } from '../../messages/use-text';
import { listOf } from '../../state/host-store';
import { useGrants, useRevoke } from '../../state/use-grants';
import { IconButton } from '../../ui/buttons';
import { FailureNote } from '../../ui/failure-note';
import { PatternView } from '../../ui/pattern-view';
import { VisibleText } from '../../ui/visible-text';
import { grantsInForce, type GrantInForce } from './grants-in-force';
import { Panel } from './panel';

/** How far a permission reaches, and when it lapses. */
export function lapseWords(grant: GrantInForce, t: Text, language: string): string {
  const words = [t(`grant.lapses.${grant.scope}`, { days: grantUnusedDays })];
  if (grant.expires_at !== null) {
    const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(
      new Date(grant.expires_at),
    );
    words.push(t('grant.lapses.at', { date }));
  }
  return words.join(', ');
}

function GrantLine({ grant }: { readonly grant: GrantInForce }): ReactNode {
  const { t, language } = useText();
  const { busy, error, revoke } = useRevoke(grant.grant_id);
  return (
    <li className={grant.holds ? 'grant-line' : 'grant-line grant-void'}>
      <div>
        <code className="mono break">
          <VisibleText text={grant.qualified_name} />
        </code>
        <span className="grant-pattern">
          <PatternView pattern={grant.pattern} />
        </span>
        <span className="muted">{lapseWords(grant, t, language)}</span>
        {grant.holds ? null : <span className="grant-broken">{t('grant.void')}</span>}
        {error ? <FailureNote failure={error} announce /> : null}
      </div>
      <IconButton
        small
        icon={Undo2}
        label={t('grant.revoke_of', { tool: grant.qualified_name })}
        disabled={busy}
        onClick={revoke}
      />
    </li>
  );
}

/** What the person allowed in advance, here and for this coworker, with a way to take each back. */
export function GrantsPanel({ view }: { readonly view: SessionView }): ReactNode {
  const { t } = useText();
  const listed = useGrants();
  const grants = useMemo(() => grantsInForce(view, listOf(listed)), [view, listed]);
  const held = new Set(grants.filter((grant) => grant.holds).map((grant) => grant.qualified_name)).size;
  return (
    <Panel title={t('facts.grants')} note={t('facts.grants_count', { count: held })}>
      {listed.status === 'failed' ? <FailureNote failure={listed.error} quiet /> : null}
      {grants.length === 0 ? (
        <p className="muted">{t('facts.no_grants')}</p>
      ) : (
        <ul className="tool-list">
          {grants.map((grant) => (
            <GrantLine key={grant.grant_id} grant={grant} />
          ))}
        </ul>
      )}
    </Panel>
  );
}
