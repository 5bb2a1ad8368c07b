import { ChevronRight, FileCog, Server } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import type { Problem, ServerStatus } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { useActions, useApp, useHost } from '../../state/use-app';
import { FailureNote } from '../../ui/failure-note';
import { ProblemList } from '../../ui/problem-list';
import { EmptyNote, Load } from '../../ui/states';
import { VisibleText } from '../../ui/visible-text';
import { stateTone, transportKey } from './server-words';
import './servers.css';

function ServerRow({ server }: { readonly server: ServerStatus }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  return (
    <li className="server">
      <button
        type="button"
        className="server-line"
        onClick={() => actions.goTo({ type: 'server', name: server.name })}
      >
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
        <span className={`chip tone-${stateTone[server.state]}`}>{t(`server.state.${server.state}`)}</span>
        <ChevronRight size={13} aria-hidden />
      </button>
      {server.error && server.state === 'failed' ? (
        <div className="server-error">
          <FailureNote failure={server.error} />
        </div>
      ) : null}
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
