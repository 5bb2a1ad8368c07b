import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../protocol';
import { startCanary, type Canary } from '../testing/canary';
import { hostileServer, type Misbehaviour } from '../testing/hostile-server';
import { loopLag } from '../testing/loop-lag';
import { processRuns, type TestServer } from '../testing/mcp-test-server';
import { createMcpWorkbench, type McpWorkbench } from '../testing/mcp-workbench';
import { createSchemaCompiler } from '../validation';

let canary: Canary;
const opened: McpWorkbench[] = [];
const made: TestServer[] = [];

beforeEach(async () => {
  canary = await startCanary();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((bench) => bench.close()));
  for (const server of made) expect(server.starts().some(processRuns)).toBe(false);
  for (const server of made.splice(0)) server.dispose();
  expect(canary.requests).toEqual([]);
  await canary.close();
});

/** A misbehaving server beside a good one. */
function beside(
  how: Misbehaviour,
  options: NonNullable<Parameters<typeof hostileServer>[1]> = {},
  env: Readonly<Record<string, string | undefined>> = process.env,
) {
  const server = hostileServer(how, options);
  const good = hostileServer('good', { name: 'good' });
  made.push(server, good);
  const bench = createMcpWorkbench([server.config, good.config], { env });
  opened.push(bench);
  const status = () => bench.servers.statuses()[0];
  const goodWorks = async () =>
    expect(await bench.run('good', 'good', { message: 'hi' })).toMatchObject({
      output: { text: 'Echo: hi' },
    });
  return { bench, server, status, goodWorks };
}

/** A server that offers exactly these tools. */
function offering(tools: readonly JsonObject[]) {
  const { config, dispose } = hostileServer('good');
  const file = path.join(config.folder, 'tools.json');
  writeFileSync(file, JSON.stringify(tools));
  const given = beside('given-tools', { extra: file });
  const remove = given.server.dispose;
  made[made.indexOf(given.server)] = {
    ...given.server,
    dispose: () => {
      remove();
      dispose();
    },
  };
  return given;
}
const tool = (name: string, inputSchema: JsonObject, more: JsonObject = {}): JsonObject => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: { type: 'object', ...inputSchema },
  ...more,
});
const properties = (a: JsonObject): JsonObject => ({ properties: { a } });
function deep(levels: number): JsonObject {
  let schema: JsonObject = { type: 'string' };
  for (let level = 0; level < levels; level += 1) schema = properties(schema);
  return schema;
}
const wide = (count: number): JsonObject => ({
  properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, {}])),
});
const tower: JsonObject = {
  $defs: Object.fromEntries(
    Array.from({ length: 30 }, (_, step) => {
      const next = { $ref: `#/$defs/d${step + 1}` };
      return [`d${step}`, step === 29 ? {} : { allOf: [next, next] }];
    }),
  ),
  $ref: '#/$defs/d0',
};

/** Longest stand-still that is borne here, in milliseconds: the machine may be busy with much else. */
const bearable = 2_500;

describe('schemas of a server', () => {
  it('bombs make their own tool unusable, each with a reason; the process goes on and the others work', async () => {
    const { bench, goodWorks } = offering([
      tool('good', {}),
      tool('deep', deep(2_000)),
      tool('wide', wide(20_000)),
      tool('endless', { allOf: [{ $ref: '#' }] }),
      tool('tower', tower),
      tool('bad-regex', properties({ pattern: '(?<=' })),
      tool('back-tracking', properties({ pattern: '^(a+)+\\1$' })),
      tool('repetitions', properties({ pattern: 'a{1000}'.repeat(500) })),
      tool('hidden', { 'x-other': wide(20_000), $ref: '#/x-other' }),
      tool('unknown-type', properties({ type: 'file' })),
      tool('output-bomb', {}, { outputSchema: { type: 'object', ...tower } }),
      tool('last', {}),
    ]);
    await goodWorks();
    const lag = await loopLag(() => bench.discover('hostile'));
    const catalog = await bench.catalog('hostile');
    expect([...catalog.tools.keys()]).toEqual(['good', 'last']);
    expect(catalog.unusable.size).toBe(10);
    for (const [name, why] of catalog.unusable) {
      expect(why.code, name).toBe('schema_unusable');
      expect(why.message).toContain(`Tool "${name}" of server "hostile"`);
      expect(why.message.length).toBeLessThan(800);
      expect(why.message).not.toMatch(/\bat .*:\d+:\d+/);
    }
    expect(lag).toBeLessThan(bearable);
    expect(await bench.run('hostile', 'last', { message: 'x' })).toMatchObject({ type: 'output' });
    await goodWorks();
  });

  it('no reference of any form is fetched', async () => {
    const { url } = canary;
    const far = `${url}/schema.json`;
    const { bench } = offering([
      tool('ref', properties({ $ref: far })),
      tool('ref-fragment', properties({ $ref: `${far}#/$defs/a` })),
      tool('dynamic', properties({ $dynamicRef: far })),
      tool('recursive', {
        $schema: 'https://json-schema.org/draft/2019-09/schema',
        ...properties({ $recursiveRef: far }),
      }),
      tool('relative', { $id: `${url}/base/`, ...properties({ $ref: 'other.json' }) }),
      tool('dialect', { $schema: far }),
      tool('vocabulary', {
        $id: far,
        $vocabulary: { [`${url}/vocabulary`]: true },
        ...properties({ $ref: `${url}/x` }),
      }),
      tool('output', {}, { outputSchema: { type: 'object', ...properties({ $ref: far }) } }),
      tool('harmless', { $id: far, ...properties({ type: 'string', examples: [far] }) }),
    ]);
    const catalog = await bench.catalog('hostile');
    expect([...catalog.tools.keys()]).toEqual(['harmless']);
    expect([...catalog.unusable.values()].map(({ code }) => code)).toEqual(Array(8).fill('schema_unusable'));
    expect(await bench.run('hostile', 'harmless', { a: 'x' })).toMatchObject({ type: 'output' });
  });

  it('dialects stand side by side, each with its own meaning, and equal ids do not meet', async () => {
    const $id = 'https://example.com/the-same';
    const tuple = [{ type: 'string' }, { type: 'number' }];
    const { bench } = offering([
      tool('seven', {
        $schema: 'http://json-schema.org/draft-07/schema#',
        $id,
        properties: { a: { items: tuple } },
      }),
      tool('twenty', {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $id,
        properties: { a: { prefixItems: tuple } },
      }),
      tool('none', { $id, properties: { a: { prefixItems: tuple, format: 'from-mars' } } }),
      tool('four', {
        $schema: 'http://json-schema.org/draft-04/schema#',
        properties: { a: { exclusiveMinimum: true } },
      }),
    ]);
    const { tools, unusable } = await bench.catalog('hostile');
    expect([...tools.keys()]).toEqual(['seven', 'twenty', 'none']);
    expect(unusable.get('four')?.message).toMatch(/draft-04.*draft-06, draft-07, 2019-09 and 2020-12/);
    const compiler = createSchemaCompiler();
    for (const one of tools.values()) {
      const compiled = compiler.compile(one.descriptor.input_schema);
      if (!compiled.ok) throw new Error(compiled.error.message);
      expect(compiled.value.check({ a: ['x', 1] }).ok).toBe(true);
      expect(compiled.value.check({ a: [1, 'x'] }).ok).toBe(false);
    }
  });

  it('members with the names of built-in ones are members', async () => {
    const names = { constructor: { type: 'number' }, toString: { type: 'string' }, hasOwnProperty: {} };
    const proto = JSON.parse('{"__proto__":{"type":"number"},"a":{"type":"string"}}') as JsonObject;
    const { bench } = offering([
      tool('named', {
        properties: names,
        required: ['constructor', 'toString'],
        additionalProperties: false,
      }),
      tool('proto', { properties: proto, required: ['a'] }),
      tool('__proto__', {}),
      tool('constructor', {}),
    ]);
    const { tools, unusable } = await bench.catalog('hostile');
    expect([...tools.keys(), ...unusable.keys()].sort()).toEqual([
      '__proto__',
      'constructor',
      'named',
      'proto',
    ]);
    expect(tools.get('constructor')?.model_alias).toBe('hostile__constructor');
    expect(({} as Record<string, unknown>)['type']).toBeUndefined();
  });
});

describe('what a server writes', () => {
  it('rubbish around an answer, and an answer that comes byte by byte, lose nothing of it', async () => {
    const { bench, status } = beside('rubbish-on-call');
    expect(await bench.run('hostile', 'good', {})).toEqual({ type: 'output', output: { text: 'schön\n🙂' } });
    expect(status()).toMatchObject({ state: 'ready', skipped_lines: 5 });
    expect(status()?.log.join('\n')).toContain('npm warn deprecated');
  });

  it('200 MB without a line end close that server only; the process answers and the other server works meanwhile', async () => {
    const { bench, server, status, goodWorks } = beside('floods-on-call');
    await bench.catalog('hostile');
    await goodWorks();
    const held = process.memoryUsage().external;
    let most = 0;
    const lag = await loopLag(async () => {
      let done = false;
      const flooded = bench.run('hostile', 'good', {}).finally(() => (done = true));
      while (!done) {
        await goodWorks();
        most = Math.max(most, process.memoryUsage().external - held);
      }
      expect(await flooded).toMatchObject({
        type: 'unknown',
        error: { code: 'outcome_unknown', message: expect.stringContaining('a line of more than 10 MiB') },
      });
    });
    expect(lag).toBeLessThan(bearable);
    expect(most).toBeLessThan(80 * 1024 * 1024);
    expect(status()).toMatchObject({ state: 'failed', error: { code: 'server_failed' } });
    await expect.poll(() => server.starts().map(processRuns)).toEqual([false]);
    expect(server.witness().filter((line) => line.startsWith('call'))).toHaveLength(1);
  });

  it('a second answer and an answer to a question that nobody asked are dropped and logged', async () => {
    const { bench, status } = beside('answers-twice');
    expect(await bench.run('hostile', 'good', {})).toMatchObject({ output: { text: 'first' } });
    await expect.poll(() => bench.log.filter((line) => line.includes('unknown message ID'))).toHaveLength(2);
    expect(bench.log.join('\n')).toContain('Server "hostile"');
    expect(status()?.state).toBe('ready');
  });
});

describe('what a server may know and ask', () => {
  it('its environment is a short list and what it was given, whatever ours holds', async () => {
    const secrets = {
      OPENAI_API_KEY: 'sk-leak',
      AWS_SECRET_ACCESS_KEY: 'leak',
      GITHUB_TOKEN: 'leak',
      NODE_OPTIONS: '--require ./leak.js',
      LD_PRELOAD: '/leak.so',
      ELECTRON_RUN_AS_NODE: '1',
      openai_api_key: 'leak',
      '': 'leak',
    };
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...secrets };
    const { bench } = beside('tells-environment', { config: { env: { DECLARED: 'yes' } } }, env);
    const end = await bench.run('hostile', 'good', {});
    const seen = JSON.parse((end.type === 'output' && end.output.text) || '{}') as Record<string, string>;
    expect(seen).toMatchObject({ DECLARED: 'yes', PATH: env.PATH });
    const usual = ['DECLARED', 'HOME', 'LANG', 'LOGNAME', 'MCP_WITNESS', 'PATH', 'SHELL', 'TERM', 'USER'];
    expect(Object.keys(seen).filter((name) => !usual.includes(name))).toEqual([]);
  });

  it('completions, forms and addresses are refused, no address is opened, and of folders it hears those of the session alone', async () => {
    const { bench } = beside('asks-for-everything', { extra: `${canary.url}/log-in` });
    expect(await bench.run('hostile', 'good', {})).toMatchObject({
      output: { text: JSON.stringify(['refused', 'refused', 'refused', { roots: [] }]) },
    });
  });

  it('a server that asks without end is held to the time of its call, and holds up nobody', async () => {
    const { bench, goodWorks } = beside('asks-without-end', {
      config: { call_timeout_ms: 600, call_ceiling_ms: 900 },
    });
    await bench.catalog('hostile');
    await goodWorks();
    const lag = await loopLag(async () => {
      const asked = bench.run('hostile', 'good', {});
      await goodWorks();
      expect(await asked).toMatchObject({ type: 'unknown', error: { code: 'tool_timed_out' } });
    });
    expect(lag).toBeLessThan(bearable);
    await goodWorks();
  });
});
