import { mkdtemp, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commonDefaults, hostPlacement } from './server-config';
import { parseServersFile, readServersFile } from './servers-file';

const parse = (text: string) => parseServersFile(text, { file: 'servers.json', folder: '/etc/ow' });
const one = (server: unknown, name = 'acer') =>
  parse(JSON.stringify({ version: 1, servers: { [name]: server } }));
const messages = (file: ReturnType<typeof parse>) =>
  file.problems.map((problem) => problem.message).join('\n');

describe('servers.json', () => {
  it('S0-21 S1-05 C10 (in part): reads both transports, and keeps references unresolved', () => {
    const file = parse(`{
      // who serves what
      "version": 1,
      "servers": {
        "acer": { "transport": "stdio", "program": "./bin/acer", "args": ["-x", "\${env:HOME}"],
                  "env": { "KEY": "\${secret:ACER_KEY}" }, "cwd": "data", "note": "unknown keys are kept" },
        "company": { "transport": "streamable_http", "url": "https://mcp.example.com/mcp",
                     "headers": { "Authorization": "Bearer \${secret:COMPANY}" }, "call_timeout_seconds": 10 },
      },
    }`);
    expect(file.problems).toEqual([]);
    expect(file.servers).toEqual([
      {
        name: 'acer',
        transport: 'stdio',
        program: './bin/acer',
        args: ['-x', '${env:HOME}'],
        env: { KEY: '${secret:ACER_KEY}' },
        cwd: path.resolve('/etc/ow/data'),
        folder: '/etc/ow',
        ...hostPlacement,
        ...commonDefaults,
      },
      {
        name: 'company',
        transport: 'streamable_http',
        url: 'https://mcp.example.com/mcp',
        headers: { Authorization: 'Bearer ${secret:COMPANY}' },
        oauth: null,
        ...commonDefaults,
        call_timeout_ms: 10_000,
      },
    ]);
  });
  it('reads what a server may do: disabled, its boundary, completions, its own client for authorization', () => {
    const limits = { workspace: 'read_only', network: ['api.example.com', '*.example.org'] };
    const boxed = { transport: 'stdio', program: 'x', enabled: false, placement: 'sandbox', sandbox: limits };
    expect(one(boxed).servers).toMatchObject([{ enabled: false, placement: 'sandbox', sandbox: limits }]);
    expect(one({ transport: 'stdio', program: 'x', placement: 'sandbox' }).servers).toMatchObject([
      { sandbox: { workspace: 'none', network: [] } },
    ]);
    const oauth = { client_id: 'app', client_secret: '${secret:APP}', scope: 'read' };
    expect(
      one({ transport: 'sse', url: 'https://a.example/sse', sampling: true, oauth }).servers,
    ).toMatchObject([{ transport: 'sse', sampling: true, oauth }]);
  });
  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['a word for true', { enabled: 'yes' }, '"enabled" must be true or false'],
    ['an unknown boundary', { placement: 'docker' }, '"placement" must be "host", "sandbox" or "openshell"'],
    ['limits without the boundary', { sandbox: {} }, 'stands only beside "placement": "sandbox"'],
    ['limits that are none', { placement: 'sandbox', sandbox: true }, 'must be an object with "workspace"'],
    [
      'an unknown access',
      { placement: 'sandbox', sandbox: { workspace: 'all' } },
      '"read_only" or "read_write"',
    ],
    ...['EVIL.test', 'a.test.', 'a.test:80', '*', '*.*.test', 'a..test', 'a\u0000.test', 'ä.test'].map(
      (host): [string, Readonly<Record<string, unknown>>, string] => [
        `the host ${JSON.stringify(host)} (hazard 40)`,
        { placement: 'sandbox', sandbox: { network: [host] } },
        'Write a host in lower case',
      ],
    ),
  ])('hazard 40 for hosts: refuses %s with its place and remedy', (_, members, words) => {
    const file = one({ transport: 'stdio', program: 'x', ...members });
    expect(file.servers).toEqual([]);
    expect(messages(file)).toContain(words);
  });
  it('takes no secret of an authorization client in plain text', () => {
    const remote = { transport: 'streamable_http', url: 'https://a.example/mcp' };
    expect(messages(one({ ...remote, oauth: { client_id: 'a', client_secret: 'shhh' } }))).toContain(
      'Write it as ${secret:NAME}',
    );
    expect(messages(one({ ...remote, oauth: { client_secret: '${secret:A}' } }))).toContain('"client_id"');
  });
  it('C2 (in part): the SDK spelling of the transport gives an error that names the right one', () => {
    expect(messages(one({ transport: 'streamable-http', url: 'https://a.example/mcp' }))).toContain(
      'In this file write "streamable_http"',
    );
  });
  it('names line and column of a syntax error, and nothing is half read', () => {
    const file = parse('{\n  "version": 1,\n  "servers": { "a" }\n}');
    expect(file.servers).toEqual([]);
    expect(file.problems[0]).toMatchObject({ file: 'servers.json', line: 3, severity: 'error' });
    expect(file.problems[0]?.message).toMatch(/servers\.json, line 3, column \d+: It is not JSON/);
    expect(messages(parse(''))).toContain('{"version":1,"servers":{}}');
  });
  it('says where it is nested too deeply, and does not break off', () => {
    const file = parse(`{"version":1,\n"servers":${'{"a":'.repeat(100_000)}`);
    expect(file.servers).toEqual([]);
    expect(messages(file)).toMatch(
      /servers\.json, line 2, column \d+: It is nested deeper than 100 levels here/,
    );
  });
  it('S0-46 finds keys that come twice', () => {
    const file = parse(`{"version":1,"servers":{
      "a":{"transport":"stdio","program":"x"},
      "a":{"transport":"stdio","program":"y"}}}`);
    expect(file.problems[0]).toMatchObject({ line: 3 });
    expect(messages(file)).toContain('"a" comes twice');
  });
  it('S0-51 C3 (in part): checks the namespace', () => {
    expect(messages(one({ transport: 'stdio', program: 'x' }, 'openworker'))).toContain('reserved');
    expect(messages(one({ transport: 'stdio', program: 'x' }, 'a.b'))).toContain('"a.b"');
    expect(messages(one({ transport: 'stdio', program: 'x' }, 'sp ace'))).toContain('sp ace');
  });
  it('reports every wrong member of every server and keeps the good ones', () => {
    const file = parse(
      JSON.stringify({
        version: 1,
        servers: {
          good: { transport: 'stdio', program: 'x' },
          a: { transport: 'stdio', command: 'x', args: 'y', env: { 'A B': '1', C: 2 } },
          b: { transport: 'pigeon' },
          c: { transport: 'stdio', program: '${env:X}', args: ['${TOKEN}', '${secret:a b}'] },
          d: 7,
        },
      }),
    );
    expect(file.servers.map((server) => server.name)).toEqual(['good']);
    for (const words of [
      '"command" is another program\'s spelling',
      '"args" must be a list of texts',
      '"A B", which is not allowed',
      '"env.C" must be a text',
      '"transport" must be',
      'not in "program"',
      '"${TOKEN}". Write ${secret:NAME} or ${env:NAME}',
      '"${secret:a b}"',
      'Server "d" must be an object',
    ]) {
      expect(messages(file)).toContain(words);
    }
  });
  it('says what is wrong with the whole file', () => {
    expect(messages(parse('[]'))).toContain('must hold an object');
    expect(messages(parse('{"version":2,"servers":{}}'))).toContain('"version" must be 1');
    expect(messages(parse('{"version":1,"mcpServers":{}}'))).toContain("another program's spelling");
  });
  it('allows http on this machine only, and no user name in an address', () => {
    const url = (text: string) => messages(one({ transport: 'streamable_http', url: text }));
    for (const fine of [
      'https://a.example/mcp',
      'http://127.0.0.1:3000/mcp',
      'http://localhost/mcp',
      'http://[::1]:9/mcp',
      'https://a.example/${secret:PATH}/mcp',
      'http://127.0.0.1:${env:PORT}/mcp',
      '${env:MCP_URL}',
    ]) {
      expect(url(fine), fine).toBe('');
    }
    for (const bad of [
      'http://a.example/mcp',
      'http://127.0.0.1.evil.example/',
      'http://localhost.evil.example/',
    ]) {
      expect(url(bad), bad).toContain('must begin with https://');
    }
    expect(url('https://me:pw@a.example/')).toContain('user name');
    expect(url('file:///etc/passwd')).toContain('https://');
    expect(url('not an address')).toContain('is not an address');
  });
  it('warns of a secret in plain text', () => {
    const file = one({ transport: 'stdio', program: 'x', env: { API_KEY: 'sk-123', MODE: 'fast' } });
    expect(file.servers).toHaveLength(1);
    expect(file.problems).toHaveLength(1);
    expect(file.problems[0]).toMatchObject({ severity: 'warning' });
    expect(messages(file)).not.toContain('sk-123');
  });
  it('reads a file with a byte order mark, and says why a file cannot be read', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'openworker-servers-'));
    const file = path.join(folder, 'servers.json');
    await writeFile(file, '\uFEFF{"version":1,"servers":{"a":{"transport":"stdio","program":"x"}}}');
    const read = await readServersFile(file);
    expect(read.ok && read.value.servers[0]).toMatchObject({ name: 'a', cwd: folder, folder });
    expect(await readServersFile(path.join(folder, 'none.json'))).toMatchObject({
      ok: false,
      error: { code: 'servers_invalid' },
    });
  });
});
