import type {
  CoworkerCard,
  Problem,
  ProviderStatus,
  ServerStatus,
  SessionEvent,
  SessionSummary,
  Signal,
} from '../../src-main/harness/protocol';
import type {
  CommandName,
  CommandPayload,
  CommandResult,
  QueryName,
  QueryPayload,
  QueryResult,
  Settings,
} from './commands';

/** What main sends to the window without being asked, in order. */
export type Push =
  | {
      readonly topic: 'session';
      readonly session_id: string;
      readonly events: readonly SessionEvent[];
      readonly signals: readonly Signal[];
      /** True on the push that reached the end of what was recorded when the window subscribed, and on later ones. */
      readonly caught_up: boolean;
      /** Lowest sequence number pushed so far; older pages follow until it is 1. */
      readonly from_seq: number;
    }
  /** The latest image of the session came, went or expired; ask `session.image`. */
  | { readonly topic: 'image'; readonly session_id: string }
  /** A remembered permission came, went or lapsed, or a tool was classified; ask `grants.list`. */
  | { readonly topic: 'grants' }
  | {
      readonly topic: 'sessions';
      readonly changed: readonly SessionSummary[];
      readonly removed: readonly string[];
    }
  | { readonly topic: 'coworkers'; readonly coworkers: readonly CoworkerCard[] }
  | { readonly topic: 'providers'; readonly providers: readonly ProviderStatus[] }
  | { readonly topic: 'servers'; readonly servers: readonly ServerStatus[] }
  | { readonly topic: 'settings'; readonly settings: Settings }
  /** All that is wrong with the journal now. */
  | { readonly topic: 'journal'; readonly problems: readonly Problem[] }
  /** A click on a notification, a menu item or a second start of the app. */
  | { readonly topic: 'reveal'; readonly target: RevealTarget }
  | { readonly topic: 'window'; readonly focused: boolean };

export type RevealTarget =
  | { readonly type: 'session'; readonly session_id: string; readonly approval_id: string | null }
  | { readonly type: 'new_session' }
  | { readonly type: 'settings' }
  | { readonly type: 'find' }
  | { readonly type: 'shortcuts' };

/** The whole of what the preload exposes, as `window.openworker`. */
export interface Bridge {
  command<N extends CommandName>(name: N, payload: CommandPayload<N>): Promise<CommandResult<N>>;
  query<N extends QueryName>(name: N, payload: QueryPayload<N>): Promise<QueryResult<N>>;
  /** Answers a function that ends the listening. */
  onPush(listener: (push: Push) => void): () => void;
}

/** Names of the Electron channels; used by preload and ipc alone. */
export const channels = {
  command: 'openworker:command',
  query: 'openworker:query',
  push: 'openworker:push',
} as const;
