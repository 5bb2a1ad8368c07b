/** A configured server, as `servers.json` says it (C10). References to secrets are still unresolved in it. */
export type ServerConfig = StdioServerConfig | HttpServerConfig;

interface CommonConfig {
  /** The namespace of its tools (C3). */
  readonly name: string;
  /** False: no process, no connection, no browser, whoever asks. */
  readonly enabled: boolean;
  /** Whether the owner lets the server ask for completions of the model; each one is still asked about. */
  readonly sampling: boolean;
  /** Milliseconds of silence that a call may last (C9). */
  readonly call_timeout_ms: number;
  /** Milliseconds that a call may last in all, whatever progress it reports (C9). */
  readonly call_ceiling_ms: number;
}

export interface StdioServerConfig extends CommonConfig {
  readonly transport: 'stdio';
  /** An absolute path, a path relative to `folder`, or a bare name that is looked up in PATH. */
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute working directory; the folder of the file where none is configured. */
  readonly cwd: string;
  /** Absolute folder of the file that configures the server. */
  readonly folder: string;
  readonly placement: ServerPlacement;
  /** What a sandboxed server may reach; null in every other placement. */
  readonly sandbox: SandboxLimits | null;
}

/** The boundary that a local server runs in (S0-61..S0-69). Tools of the app itself have none. */
export type ServerPlacement = 'host' | 'sandbox' | 'openshell';

export interface SandboxLimits {
  /** Access to the session's folder. */
  readonly workspace: 'none' | 'read_only' | 'read_write';
  /** Hosts that may be reached, lower case, without port; `*.example.com` stands for each below it. */
  readonly network: readonly string[];
}

export interface HttpServerConfig extends CommonConfig {
  /** `sse` is the transport of before 2025-03-26, for servers that know no other. */
  readonly transport: 'streamable_http' | 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** How the app is known to the server's authorization server; null: it registers itself. */
  readonly oauth: OAuthClient | null;
}

export interface OAuthClient {
  readonly client_id: string;
  /** A reference to the secret; null for a public client. */
  readonly client_secret: string | null;
  /** Scopes to ask for in place of those that the server names; null without. */
  readonly scope: string | null;
}

/** What holds where the file says nothing; the bounds of a call are those of C9. */
export const commonDefaults = {
  enabled: true,
  sampling: false,
  call_timeout_ms: 75_000,
  call_ceiling_ms: 600_000,
} as const satisfies Partial<CommonConfig>;

export const hostPlacement = { placement: 'host', sandbox: null } as const;

/** The full command line or address as it is configured, for people to read. */
export function targetOf(config: ServerConfig): string {
  if (config.transport !== 'stdio') return config.url;
  return [config.program, ...config.args].map(shown).join(' ');
}

function shown(word: string): string {
  return /^[\w./:=@%+,${}\\-]+$/.test(word) ? word : JSON.stringify(word);
}
