import {
  type CommandName,
  type CommandPayload,
  type CommandResult,
  type Failure,
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
  /** Whoever shows remembered permissions asks anew. */
  reloadGrants(): void;
  setSetting(key: keyof Settings, value: unknown): void;
  /** Sends a command and shows a notice when it is refused. */
  run<N extends CommandName>(name: N, payload: CommandPayload<N>): Promise<CommandResult<N>>;
  openLink(url: string): void;
  copy(text: string): Promise<boolean>;
  /** Goes on without the entries of the journal that are missing. Answers the refusal itself. */
  acceptLoss(): Promise<Failure | null>;
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
  journal: 'journal.problems',
} as const satisfies Partial<Record<keyof HostState, QueryName>>;

function createLoaders({ gateway, host, ui }: Deps) {
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

  return { load, loadSessions, loadSettings };
}

export function createHostActions(deps: Deps): HostActions {
  const { gateway, host, ui } = deps;
  const { load, loadSessions, loadSettings } = createLoaders(deps);

  async function run<N extends CommandName>(name: N, payload: CommandPayload<N>): Promise<CommandResult<N>> {
    const result = await gateway.command(name, payload);
    if (!result.ok) ui.showNotice(result.error);
    return result;
  }

  async function acceptLoss(): Promise<Failure | null> {
    const result = await gateway.command('journal.accept_loss', {});
    await Promise.all([load('journal'), loadSessions()]);
    if (result.ok) ui.clearNotices();
    return result.ok ? null : result.error;
  }

  return {
    run,
    async loadAll() {
      await Promise.all([
        load('info'),
        load('coworkers'),
        load('providers'),
        load('servers'),
        load('journal'),
        loadSessions(),
        loadSettings(),
      ]);
    },
    async reload(what) {
      host.setState({ [what]: { status: 'loading' } } as Partial<HostState>);
      await (what === 'sessions' ? loadSessions() : load(what));
    },
    reloadGrants() {
      host.setState((state) => ({ grantChanges: state.grantChanges + 1 }));
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
    acceptLoss,
    async copy(text) {
      const result = await run('clipboard.write', { text });
      return result.ok;
    },
  };
}
