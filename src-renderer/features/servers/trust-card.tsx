import { ShieldQuestion } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { Failure, ServerStatus, ServerTrust } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { useApp } from '../../state/use-app';
import { useGuardedArea } from '../../state/use-guarded-area';
import { ChangeList } from '../../ui/change-list';
import { FailureNote } from '../../ui/failure-note';
import { JsonTree } from '../../ui/json-tree';
import { countHidden } from '../../ui/mark-hidden';
import { VisibleText } from '../../ui/visible-text';

/** All that starts or is reached, exactly as it is configured and never shortened (hazard 18). */
function Launch({
  server,
  trust,
}: {
  readonly server: ServerStatus;
  readonly trust: ServerTrust;
}): ReactNode {
  const { t } = useText();
  const hidden = countHidden(JSON.stringify(trust.facts));
  return (
    <>
      {hidden > 0 ? <p className="tool-hidden">{t('server_trust.hidden', { count: hidden })}</p> : null}
      <h3>{t(server.transport === 'stdio' ? 'server.command' : 'server.address')}</h3>
      <pre className="trust-command" tabIndex={0}>
        <VisibleText text={server.target} />
      </pre>
      <details>
        <summary>{t('server_trust.facts')}</summary>
        <JsonTree value={trust.facts} />
      </details>
    </>
  );
}

function useAccept(server: ServerStatus, trust: ServerTrust) {
  const { gateway } = useApp();
  const [failure, setFailure] = useState<Failure | null>(null);
  const [sending, setSending] = useState(false);
  const accept = (): void => {
    if (sending) return;
    setSending(true);
    void gateway.command('server.accept', { name: server.name, digest: trust.digest }).then((answer) => {
      setSending(false);
      setFailure(answer.ok ? null : answer.error);
    });
  };
  return { accept, failure, sending };
}

/** A server that waits for the person: what it would start, what has changed, and the one button that lets it. */
export function TrustCard(props: { readonly server: ServerStatus; readonly trust: ServerTrust }): ReactNode {
  const { t } = useText();
  const { server, trust } = props;
  const { accept, failure, sending } = useAccept(server, trust);
  const { area, guarded } = useGuardedArea(trust.digest);
  const changed = trust.state === 'changed';
  const local = server.transport === 'stdio';
  return (
    <section className="card trust-card" aria-label={t('server_trust.title')} {...area}>
      <h2>
        <ShieldQuestion size={17} aria-hidden /> {t(changed ? 'server_trust.changed' : 'server_trust.new')}
      </h2>
      <p>{t(local ? 'server_trust.means.local' : 'server_trust.means.remote')}</p>
      {changed ? (
        <ChangeList
          changes={trust.changes}
          before={t('server_trust.before')}
          after={t('server_trust.after')}
        />
      ) : null}
      <Launch server={server} trust={trust} />
      {failure ? <FailureNote failure={failure} announce /> : null}
      <button type="button" className="button primary" aria-disabled={sending} onClick={guarded(accept)}>
        {t(local ? 'server_trust.accept.local' : 'server_trust.accept.remote')}
      </button>
    </section>
  );
}
