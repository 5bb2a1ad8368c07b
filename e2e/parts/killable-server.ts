import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { everythingServer } from './app';
import { until } from './openworker';

/** The Everything server in a process that tells its id, so that a test can kill it in the middle of a call. */
export interface KillableServer {
  /** What servers.json holds. */
  readonly servers: unknown;
  /** Kills the process that runs now, without a word. */
  kill(): Promise<void>;
  /** How often it was started. */
  starts(): number;
}

export function killableServer(folder: string): KillableServer {
  const script = path.join(folder, 'everything.mjs');
  const pids = path.join(folder, 'everything.pids');
  fs.writeFileSync(
    script,
    [
      "import fs from 'node:fs';",
      `fs.appendFileSync(${JSON.stringify(pids)}, process.pid + '\\n');`,
      `process.argv = [process.argv[0], ${JSON.stringify(everythingServer)}, 'stdio'];`,
      `await import(${JSON.stringify(pathToFileURL(everythingServer).href)});`,
    ].join('\n'),
  );
  const known = (): readonly string[] =>
    fs.existsSync(pids) ? fs.readFileSync(pids, 'utf8').split('\n').filter(Boolean) : [];
  return {
    servers: {
      version: 1,
      servers: { everything: { transport: 'stdio', program: process.execPath, args: [script] } },
    },
    async kill() {
      const pid = await until(() => Number(known().at(-1)), 'the server has started');
      process.kill(pid, 'SIGKILL');
    },
    starts: () => known().length,
  };
}
