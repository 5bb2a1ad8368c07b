import { ChevronRight, FileCog, Server } from 'lucide-react';
import { useEffect, useId, useState, type ReactNode } from 'react';
import type { Problem, ServerStatus } from '../../../src-preload/contract';
import { formatDuration } from '../../messages/format';
import { useText, type MessageKey } from '../../messages/use-text';
import { useActions, useApp, useHost } from '../../state/use-app';
import { CopyButton } from '../../ui/buttons';
import { FailureNote } from '../../ui/failure-note';
import { ProblemList } from '../../ui/problem-list';
import { EmptyNote, Load } from '../../ui/states';
import { VisibleText } from '../../ui/visible-text';
import './servers.css';

const tone = {
  ready: 'good',
  starting: 'running',
  not_started: 'neutral',
  failed: 'bad',
} as const satisfies Record<ServerStatus['state'], string>;

function Log({ lines }: { readonly lines: readonly string[] }): ReactNode {
  const { t } = useText();
  if (lines.length === 0) return <p className="muted">{t('server.no_log')}</p>;
  return (
    <pre className="server-log" tabIndex={0} role="region" aria-label={t('server.log')}>
      <VisibleText text={lines.join('\n')} />
    </pre>
  );
}

function ServerDetails({ server, id }: { readonly server: ServerStatus; readonly id: string }): ReactNode {
  const { t, language } = useText();
  const actions = useActions();
  return (
    <div className="server-details" id={id}>
      {server.error ? <FailureNote failure={server.error} /> : null}
      <dl className="server-facts">
        <dt>{t(server.transport === 'stdio' ? 'server.command' : 'server.address')}</dt>
        <dd className="mono break">
          <VisibleText text={server.target} />{' '}
          <CopyButton text={server.target} label={t('server.copy')} copy={actions.copy} />
        </dd>
        <dt>{t('server.protocol')}</dt>
        <dd>{server.protocol_version ?? t('common.unknown')}</dd>
        <dt>{t('server.latency')}</dt>
        <dd>
          {server.latency_ms === null ? t('common.unknown') : formatDuration(server.latency_ms, t, language)}
        </dd>
        {server.skipped_lines > 0 ? (
          <>
            <dt>{t('server.skipped')}</dt>
            <dd>{t('server.skipped.count', { count: server.skipped_lines })}</dd>
          </>
        ) : null}
      </dl>
      <h2 className="server-log-title">{t('server.log')}</h2>
      <Log lines={server.log} />
    </div>
  );
}

/** A server that listens on this computer is not "over the network", although it is spoken to over HTTP. */
function transportKey(server: ServerStatus): MessageKey {
  if (server.transport === 'stdio') return 'server.transport.stdio';
  const host = URL.canParse(server.target) ? new URL(server.target).hostname : '';
  const here = host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
  return here ? 'server.transport.loopback' : 'server.transport.streamable_http';
}

function ServerRow({ server }: { readonly server: ServerStatus }): ReactNode {
  const { t } = useText();
  const [open, setOpen] = useState(server.state === 'failed');
  const id = useId();
  return (
    <li className="server">
      <button
        type="button"
        className="server-line"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <ChevronRight size={13} aria-hidden className={open ? 'turned' : ''} />
        <span className="server-name">
          <strong>
            <VisibleText text={server.name} />
          </strong>
          <span className="muted small mono truncate">
            <VisibleText text={server.target} />
          </span>
        </span>
        <span className="muted small server-transport">{t(transportKey(server))}</span>
        {server.tools === null ? null : (
          <span className="muted small">{t('server.tools', { count: server.tools })}</span>
        )}
        <span className={`chip tone-${tone[server.state]}`}>{t(`server.state.${server.state}`)}</span>
      </button>
      {open ? <ServerDetails server={server} id={id} /> : null}
    </li>
  );
}

function useFileProblems(): readonly Problem[] {
  const { gateway } = useApp();
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  useEffect(() => {
    let gone = false;
    void gateway.query('servers.problems', {}).then((result) => {
      if (!gone && result.ok) setProblems(result.value);
    });
    return () => {
      gone = true;
    };
  }, [gateway]);
  return problems;
}

/** What is wrong with servers.json itself; the servers that are named are left out until it is mended. */
function FileProblems(): ReactNode {
  const { t } = useText();
  const problems = useFileProblems();
  if (problems.length === 0) return null;
  return (
    <section className="file-problems">
      <h2>{t('servers.problems', { count: problems.length })}</h2>
      <ProblemList problems={problems} />
    </section>
  );
}

/** The MCP servers that the person has configured, and what is really known of them. */
export function ServersPage(): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const servers = useHost((state) => state.servers);
  return (
    <div className="page-scroll">
      <div className="page-inner">
        <div className="page-head">
          <h1 className="page-title">{t('servers.title')}</h1>
          <button
            type="button"
            className="button"
            onClick={() => void actions.run('servers.reveal_file', {})}
          >
            <FileCog size={15} aria-hidden />
            {t('servers.open_file')}
          </button>
        </div>
        <p className="page-lead">{t('servers.lead')}</p>
        <FileProblems />
        <Load from={servers} retry={() => void actions.reload('servers')}>
          {(list) =>
            list.length === 0 ? (
              <EmptyNote icon={Server} title={t('servers.none')}>
                <p>{t('servers.none.detail')}</p>
              </EmptyNote>
            ) : (
              <ul className="card server-list">
                {list.map((server) => (
                  <ServerRow key={server.name} server={server} />
                ))}
              </ul>
            )
          }
        </Load>
      </div>
    </div>
  );
}
