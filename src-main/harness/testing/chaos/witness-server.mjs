// An MCP server over stdio whose one tool has an effect that outlives it: a line in the file WITNESS, on the disk
// before it answers. DIE_AT=WHO:WHEN#N kills the server itself or the core, before or after the N-th line. It ends with
// its input, and by itself after two minutes.
import { fsyncSync, openSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

setTimeout(() => process.exit(0), 120_000).unref();
const file = openSync(process.env.WITNESS, 'a');
const core = process.ppid;
const [, who, when, nth] = /^(server|core):(before|after)#(\d+)$/.exec(process.env.DIE_AT ?? '') ?? [];
let calls = 0;

const write = (line) => {
  writeSync(file, `${JSON.stringify({ ...line, server: process.pid, core })}\n`);
  fsyncSync(file);
};
const die = (victim) => {
  try {
    process.kill(victim, 'SIGKILL');
  } catch {
    // It is gone already.
  }
};
const dieIf = (now) => {
  if (now === when && calls === Number(nth)) die(who === 'core' ? core : process.pid);
};
const reply = (id, result) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
const cache = { resultType: 'complete', ttlMs: 60_000, cacheScope: 'private' };
// A grey picture of one pixel.
const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==';
const image = { type: 'image', data: picture, mimeType: 'image/png' };
const add = {
  name: 'add',
  description: 'Adds a line to the ledger.',
  inputSchema: { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] },
};

function call(id, args) {
  calls += 1;
  dieIf('before');
  write({ key: args.key, by: 'ledger' });
  dieIf('after');
  if (args.ends === 'death') die(process.pid);
  const text = args.ends === 'error' ? 'The ledger is closed.' : 'Added.';
  const content = [{ type: 'text', text }, ...(args.ends === 'image' ? [image] : [])];
  setTimeout(
    () => reply(id, { resultType: 'complete', content, ...(args.ends === 'error' ? { isError: true } : {}) }),
    args.delay_ms ?? 0,
  );
}

write({ start: process.pid });
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    if (method === 'server/discover') {
      reply(id, { ...cache, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } });
    } else if (method === 'tools/list') reply(id, { ...cache, tools: [add] });
    else if (method === 'tools/call') call(id, params.arguments);
    else reply(id, {});
  })
  .on('close', () => process.exit(0));
