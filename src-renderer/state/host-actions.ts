import {
  type CommandName,
  type CommandPayload,
  type CommandResult,
  type QueryName,
  type SessionSummary,
  type Settings,
} from '../../src-preload/contract';
import type { Gateway } from '../bridge/gateway';
import { loadableOf, mergeSessions, ready, valueOr, type HostState, type HostStore } from './host-store';
import { parseLayout } from './layout';
import type { UiActions } from './ui-actions';

export interface HostActions {
  loadAll(): Promise<void>;
  reload(what: 'coworkers' | 'providers' | 'servers' | 'sessions'): Promise<void>;
  setSetting(key: keyof Settings, value: unknown): void;
  /** Sends a command and shows a notice when it is refused. */
  run<N extends CommandName>(name: N, payload: CommandPayload<N>): Promise<CommandResult<N>>;
  openLink(url: string): void;
  copy(text: string): Promise<boolean>;
}

interface Deps {
  readonly gateway: Gateway;
  readonly host: HostStore;
  readonly ui: UiActions;
}

const queryOf = {
  info: 'app.info',
  coworkers: 'coworkers.list',
  providers: 'providers.list',
  servers: 'servers.list',
} as const satisfies Partial<Record<keyof HostState, QueryName>>;

export function createHostActions(deps: Deps): HostActions {
  const { gateway, host, ui } = deps;

  async function load(what: keyof typeof queryOf): Promise<void> {
    const result = await gateway.query(queryOf[what], {});
    // A push that came meanwhile is newer than the answer only when the query failed.
    if (!result.ok && host.getState()[what].status === 'ready') return;
    host.setState({ [what]: loadableOf(result) } as Partial<HostState>);
  }

  async function loadSessions(): Promise<void> {
    const result = await gateway.query('sessions.list', {});
    host.setState((state) => {
      if (!result.ok) return state.sessions.status === 'ready' ? state : { sessions: loadableOf(result) };
      const known = valueOr(state.sessions, new Map<string, SessionSummary>());
      return { sessions: ready(mergeSessions(known, result.value)) };
    });
  }

  async function loadSettings(): Promise<void> {
    const result = await gateway.query('settings.get', {});
    host.setState({ settings: loadableOf(result) });
    if (result.ok) ui.setLayout(parseLayout(result.value.layout), false);
  }

  async function run<N extends CommandName>(name: N, payload: CommandPayload<N>): Promise<CommandResult<N>> {
    const result = await gateway.command(name, payload);
    if (!result.ok) ui.showNotice(result.error);
    return result;
  }

  return {
    run,
    async loadAll() {
      await Promise.all([
        load('info'),
        load('coworkers'),
        load('providers'),
        load('servers'),
        loadSessions(),
        loadSettings(),
      ]);
    },
    async reload(what) {
      host.setState({ [what]: { status: 'loading' } } as Partial<HostState>);
      await (what === 'sessions' ? loadSessions() : load(what));
    },
    setSetting(key, value) {
      host.setState((state) =>
        state.settings.status === 'ready'
          ? { settings: ready({ ...state.settings.value, [key]: value }) }
          : state,
      );
      void run('setting.set', { key, value });
    },
    openLink(url) {
      void run('link.open', { url });
    },
    async copy(text) {
      const result = await run('clipboard.write', { text });
      return result.ok;
    },
  };
}
