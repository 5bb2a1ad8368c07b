import { Inbox, KeyRound, Server, Settings as SettingsIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../../messages/use-text';
import { listOf, type Sessions, valueOr } from '../../state/host-store';
import { waitingCount } from '../../state/selectors';
import type { Page } from '../../state/ui-store';
import { useActions, useHost, useUi } from '../../state/use-app';
import { useGrants } from '../../state/use-grants';
import type { IconType } from '../../ui/buttons';

const noSessions: Sessions = new Map();

function Row(props: {
  readonly icon: IconType;
  readonly label: string;
  readonly page: Page;
  /** Whether this row leads to where the person is. */
  readonly current: boolean;
  readonly end: ReactNode;
}): ReactNode {
  const actions = useActions();
  const Icon = props.icon;
  return (
    <button
      type="button"
      className="side-row"
      aria-current={props.current ? 'page' : undefined}
      onClick={() => actions.goTo(props.page)}
    >
      <Icon size={16} aria-hidden />
      {props.label}
      {props.end}
    </button>
  );
}

/** A number at the end of a row, with the words for whoever does not see it. */
function Count(props: { readonly of: number; readonly words: string; readonly badge?: boolean }): ReactNode {
  if (props.of === 0) return null;
  return (
    <span className={props.badge ? 'side-end count-badge' : 'side-end'}>
      {props.of}
      <span className="visually-hidden"> {props.words}</span>
    </span>
  );
}

/** What stands below the sessions: everything that is not one session. */
export function FootNav(): ReactNode {
  const { t } = useText();
  const page = useUi((state) => state.page.type);
  const waiting = useHost((state) => waitingCount(valueOr(state.sessions, noSessions)));
  const servers = useHost((state) => listOf(state.servers));
  const ready = servers.filter((server) => server.state === 'ready').length;
  const inForce = listOf(useGrants()).filter(({ ended }) => ended === null).length;
  return (
    <div className="left-foot">
      <Row
        icon={Inbox}
        label={t('nav.inbox')}
        page={{ type: 'inbox' }}
        current={page === 'inbox'}
        end={<Count of={waiting} words={t('nav.waiting')} badge />}
      />
      <Row
        icon={Server}
        label={t('nav.servers')}
        page={{ type: 'servers' }}
        current={page === 'servers' || page === 'server'}
        end={servers.length > 0 ? <span className="side-end">{t('nav.ready', { count: ready })}</span> : null}
      />
      <Row
        icon={KeyRound}
        label={t('nav.permissions')}
        page={{ type: 'grants' }}
        current={page === 'grants'}
        end={<Count of={inForce} words={t('nav.in_force')} />}
      />
      <Row
        icon={SettingsIcon}
        label={t('nav.settings')}
        page={{ type: 'settings', section: 'models' }}
        current={page === 'settings'}
        end={null}
      />
    </div>
  );
}
