import { Inbox, Server, Settings as SettingsIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../../messages/use-text';
import { listOf, type Sessions, valueOr } from '../../state/host-store';
import { waitingCount } from '../../state/selectors';
import { useActions, useHost, useUi } from '../../state/use-app';

const noSessions: Sessions = new Map();

/** What stands below the sessions: everything that is not one session. */
export function FootNav(): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const page = useUi((state) => state.page.type);
  const waiting = useHost((state) => waitingCount(valueOr(state.sessions, noSessions)));
  const servers = useHost((state) => listOf(state.servers));
  const ready = servers.filter((server) => server.state === 'ready').length;
  const current = (type: string): 'page' | undefined => (page === type ? 'page' : undefined);
  return (
    <div className="left-foot">
      <button
        type="button"
        className="side-row"
        aria-current={current('inbox')}
        onClick={() => actions.goTo({ type: 'inbox' })}
      >
        <Inbox size={16} aria-hidden />
        {t('nav.inbox')}
        {waiting > 0 ? (
          <span className="side-end count-badge">
            {waiting}
            <span className="visually-hidden"> {t('nav.waiting')}</span>
          </span>
        ) : null}
      </button>
      <button
        type="button"
        className="side-row"
        aria-current={current('servers')}
        onClick={() => actions.goTo({ type: 'servers' })}
      >
        <Server size={16} aria-hidden />
        {t('nav.servers')}
        {servers.length > 0 ? <span className="side-end">{t('nav.ready', { count: ready })}</span> : null}
      </button>
      <button
        type="button"
        className="side-row"
        aria-current={current('settings')}
        onClick={() => actions.goTo({ type: 'settings', section: 'models' })}
      >
        <SettingsIcon size={16} aria-hidden />
        {t('nav.settings')}
      </button>
    </div>
  );
}
