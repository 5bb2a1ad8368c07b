import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { commonDefaults, hostPlacement, type StdioServerConfig } from '../mcp/config/server-config';

const folder = path.join(import.meta.dirname, 'servers');

/** A real server process of the tests, as a configuration, with the file in which it testifies what reached it. */
export interface TestServer {
  readonly config: StdioServerConfig;
  /** Lines that the server wrote: `start PID`, `call NAME`, `echo MESSAGE`, … */
  witness(): string[];
  /** Process ids of its starts. */
  starts(): number[];
  dispose(): void;
}

/** A server written with the 1.x SDK: echo, add, slow, image, fail, env. */
export function mcpTestServer(name = 'test', extra: Partial<StdioServerConfig> = {}): TestServer {
  return testServer(name, 'mcp-test-server.mjs', [], extra);
}

export function testServer(
  name: string,
  script: string,
  args: readonly string[],
  extra: Partial<StdioServerConfig> = {},
): TestServer {
  const own = mkdtempSync(path.join(os.tmpdir(), 'openworker-mcp-'));
  const file = path.join(own, 'witness.txt');
  const witness = () => {
    try {
      return readFileSync(file, 'utf8').split('\n').filter(Boolean);
    } catch {
      return [];
    }
  };
  return {
    config: {
      name,
      transport: 'stdio',
      program: process.execPath,
      args: [path.join(folder, script), ...args],
      cwd: own,
      folder: own,
      ...commonDefaults,
      ...hostPlacement,
      ...extra,
      env: { MCP_WITNESS: file, ...extra.env },
    },
    witness,
    starts: () =>
      witness()
        .filter((line) => line.startsWith('start '))
        .map((line) => Number(line.slice(6))),
    dispose: () => rmSync(own, { recursive: true, force: true }),
  };
}

/** True while a process runs; one that has ended and waits for its parent to notice does not. */
export function processRuns(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^State:\s*[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return process.platform !== 'linux';
  }
}
