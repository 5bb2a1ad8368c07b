import {
  failure,
  type Bridge,
  type CommandName,
  type CommandPayload,
  type CommandResult,
  type Push,
  type QueryName,
  type QueryPayload,
  type QueryResult,
} from '../../src-preload/contract';

declare global {
  interface Window {
    readonly openworker?: Bridge;
  }
}

/**
 * The way to main. Unlike the bridge it never rejects: a broken channel is a failure with code `internal`, so that
 * each caller has one way to show what went wrong.
 */
export interface Gateway {
  command<N extends CommandName>(name: N, payload: CommandPayload<N>): Promise<CommandResult<N>>;
  query<N extends QueryName>(name: N, payload: QueryPayload<N>): Promise<QueryResult<N>>;
  onPush(listener: (push: Push) => void): () => void;
}

function broken(name: string): { readonly ok: false; readonly error: ReturnType<typeof failure> } {
  return {
    ok: false,
    error: failure(
      'internal',
      `The window got no answer to "${name}". Try again; restart the app if it stays.`,
    ),
  };
}

export function createGateway(bridge: Bridge): Gateway {
  return {
    command: (name, payload) => bridge.command(name, payload).catch(() => broken(name)),
    query: (name, payload) => bridge.query(name, payload).catch(() => broken(name)),
    onPush: (listener) => bridge.onPush(listener),
  };
}

/** The preload's bridge, or null where the page runs outside the app. */
export function windowBridge(): Bridge | null {
  return window.openworker ?? null;
}
