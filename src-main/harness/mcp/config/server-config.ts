/** A configured server, as `servers.json` says it (C10). References to secrets are still unresolved in it. */
export type ServerConfig = StdioServerConfig | HttpServerConfig;

interface CommonConfig {
  /** The namespace of its tools (C3). */
  readonly name: string;
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
}

export interface HttpServerConfig extends CommonConfig {
  readonly transport: 'streamable_http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The bounds of a call where the file names none (C9). */
export const defaultCallTimeoutMs = 75_000;
export const defaultCallCeilingMs = 600_000;

/** The full command line or address as it is configured, for people to read. */
export function targetOf(config: ServerConfig): string {
  if (config.transport === 'streamable_http') return config.url;
  return [config.program, ...config.args].map(shown).join(' ');
}

function shown(word: string): string {
  return /^[\w./:=@%+,${}\\-]+$/.test(word) ? word : JSON.stringify(word);
}
