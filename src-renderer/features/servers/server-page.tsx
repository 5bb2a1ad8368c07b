import { ArrowLeft, RefreshCw, RotateCw, Server, Wrench } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { ServerStatus } from '../../../src-preload/contract';
import { formatDuration } from '../../messages/format';
import { useText } from '../../messages/use-text';
import { useActions, useApp, useHost } from '../../state/use-app';
import { CopyButton } from '../../ui/buttons';
import { FailureNote } from '../../ui/failure-note';
import { EmptyNote, Load } from '../../ui/states';
import { VisibleText } from '../../ui/visible-text';
import { AskingNote } from './asking-note';
import { stateTone, transportKey } from './server-words';
import './server-tools.css';
import { ToolList } from './tool-list';
import { TrustCard } from './trust-card';
import { useServerTools, type ServerTools } from './use-server-tools';

function Facts({ server }: { readonly server: ServerStatus }): ReactNode {
  const { t, language } = useText();
  const actions = useActions();
  return (
    <dl className="server-facts">
      <dt>{t(server.transport === 'stdio' ? 'server.command' : 'server.address')}</dt>
      <dd className="mono break">
        <VisibleText text={server.target} />{' '}
        <CopyButton text={server.target} label={t('server.copy')} copy={actions.copy} />
      </dd>
      {server.transport === 'stdio' ? (
        <>
          <dt>{t('server.placement')}</dt>
          <dd>{t(`server.placement.${server.placement}`)}</dd>
        </>
      ) : null}
      <dt>{t('server.protocol')}</dt>
      <dd>{server.protocol_version ?? t('common.unknown')}</dd>
      <dt>{t('server.latency')}</dt>
      <dd>
        {server.latency_ms === null ? t('common.unknown') : formatDuration(server.latency_ms, t, language)}
      </dd>
      {server.restarts > 0 ? (
        <>
          <dt>{t('server.restarts')}</dt>
          <dd>{server.restarts}</dd>
        </>
      ) : null}
      {server.skipped_lines > 0 ? (
        <>
          <dt>{t('server.skipped')}</dt>
          <dd>{t('server.skipped.count', { count: server.skipped_lines })}</dd>
        </>
      ) : null}
    </dl>
  );
}

/** What the server itself wrote, folded unless it failed. */
function Log({ server }: { readonly server: ServerStatus }): ReactNode {
  const { t } = useText();
  if (server.log.length === 0) return <p className="muted small">{t('server.no_log')}</p>;
  return (
    <details className="server-log-fold" open={server.state === 'failed'}>
      <summary>{t('server.log')}</summary>
      <pre className="server-log" tabIndex={0} role="region" aria-label={t('server.log')}>
        <VisibleText text={server.log.join('\n')} />
      </pre>
    </details>
  );
}

function ToolsBody(props: { readonly server: ServerStatus; readonly asked: ServerTools }): ReactNode {
  const { t } = useText();
  const { server, asked } = props;
  const { tools } = asked;
  const runs = server.state === 'ready' || server.state === 'starting';
  switch (tools.status) {
    case 'unasked':
      return (
        <div className="tools-unasked">
          {runs ? null : <p className="muted">{t('server_tools.ask.detail')}</p>}
          <button type="button" className="button" onClick={asked.ask}>
            {t('server_tools.ask')}
          </button>
        </div>
      );
    case 'loading':
      return <AskingNote onStop={asked.giveUp} />;
    case 'failed':
      return (
        <FailureNote failure={tools.error} announce>
          <button type="button" className="button small" onClick={asked.ask}>
            {t('common.try_again')}
          </button>
        </FailureNote>
      );
    case 'ready':
      return tools.value.length === 0 ? (
        <EmptyNote icon={Wrench} title={t('server_tools.none')}>
          <p>{t('server_tools.none.detail')}</p>
        </EmptyNote>
      ) : (
        <>
          {asked.stale ? <FailureNote failure={asked.stale} announce /> : null}
          <ToolList server={server.name} tools={tools.value} classify={asked.classify} />
        </>
      );
  }
}

function Tools({ server }: { readonly server: ServerStatus }): ReactNode {
  const { t } = useText();
  const asked = useServerTools(server.name, server.state === 'ready');
  const shown = asked.tools.status === 'ready';
  return (
    <section className="server-tools" aria-label={t('server_tools.title')} data-focus-home="button">
      <div className="page-head">
        <h2>{t('server_tools.title')}</h2>
        {shown ? (
          <button
            type="button"
            className="button small"
            aria-disabled={asked.asking}
            onClick={() => {
              if (!asked.asking) asked.ask();
            }}
          >
            <RefreshCw size={14} aria-hidden className={asked.asking ? 'spin' : ''} />
            {t('server_tools.refresh')}
          </button>
        ) : null}
      </div>
      <p className="muted">
        {t('server_tools.lead')} {t('server_tools.hints_lead')}
      </p>
      <ToolsBody server={server} asked={asked} />
    </section>
  );
}

/** Ends and starts it; what came of it stands in its state. */
function Restart({ server }: { readonly server: ServerStatus }): ReactNode {
  const { t } = useText();
  const { gateway } = useApp();
  const [busy, setBusy] = useState(false);
  const restart = (): void => {
    if (busy) return;
    setBusy(true);
    void gateway.command('server.restart', { name: server.name }).then(() => setBusy(false));
  };
  const fresh = server.state === 'not_started';
  return (
    <button type="button" className="button small" aria-disabled={busy} onClick={restart}>
      <RotateCw size={14} aria-hidden className={busy ? 'spin' : ''} />
      {t(fresh ? 'server.start' : 'server.restart')}
    </button>
  );
}

function OneServer({ server }: { readonly server: ServerStatus }): ReactNode {
  const { t } = useText();
  const waits = server.state === 'untrusted' ? server.trust : null;
  const off = waits !== null || server.state === 'disabled';
  return (
    <>
      <div className="page-head">
        <h1 className="page-title break">
          <VisibleText text={server.name} />
        </h1>
        <span className="server-state">
          <span className="muted small">{t(transportKey(server))}</span>
          <span className={`chip tone-${stateTone[server.state]}`}>{t(`server.state.${server.state}`)}</span>
          {off ? null : <Restart server={server} />}
        </span>
      </div>
      <div className="server-about">
        {waits ? <TrustCard server={server} trust={waits} /> : null}
        {server.error && !waits ? <FailureNote failure={server.error} /> : null}
        <Facts server={server} />
        <Log server={server} />
      </div>
      {off ? null : <Tools server={server} />}
    </>
  );
}

/** One server: what is known of it, and its tools with what the person says of them. */
export function ServerPage({ name }: { readonly name: string }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const servers = useHost((state) => state.servers);
  return (
    <div className="page-scroll">
      <div className="page-inner server-page">
        <button
          type="button"
          className="link-button server-back"
          onClick={() => actions.goTo({ type: 'servers' })}
        >
          <ArrowLeft size={14} aria-hidden />
          {t('server_page.back')}
        </button>
        <Load from={servers} retry={() => void actions.reload('servers')}>
          {(list) => {
            const server = list.find((each) => each.name === name);
            return server ? (
              <OneServer server={server} />
            ) : (
              <EmptyNote icon={Server} title={t('server_page.gone')} />
            );
          }}
        </Load>
      </div>
    </div>
  );
}
