import { spawn } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { root } from './openworker';

export const everythingScript = path.join(
  root,
  'node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** The reference server over streamable HTTP, ready to be asked at `url`. */
export async function startEverythingHttp(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const port = await freePort();
  const child = spawn(process.execPath, [everythingScript, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('listening')) resolve();
    });
    child.once('exit', () => reject(new Error('The reference server ended before it listened.')));
  });
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async close() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
