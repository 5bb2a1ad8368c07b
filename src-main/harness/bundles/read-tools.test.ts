import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFrontmatter } from './frontmatter';
import { readTools } from './read-tools';

const toolsCases: [string, string, number | undefined, RegExp][] = [
  ['no JSON', 'tools:\n - x', 1, /not valid JSON/],
  ['a comment', '{\n// hi\n"version": 3, "tools": []}', 2, /comments are not allowed/],
  ['a trailing comma', '{"version": 3,\n"tools": ["a.b",]}', 2, /no comma may stand behind/],
  ['text behind the end', '{"version": 3, "tools": []}\n{}', 2, /behind the end/],
  ['a duplicate key', '{"version": 3,\n"tools": [],\n"tools": ["a.b"]}', 3, /second time. Remove/],
  ['a list', '["a.b"]', 1, /must be an object/],
  ['no version', '{"tools": []}', 1, /"version" is missing/],
  ['version 4', '{"version": 4, "tools": []}', 1, /must be the number 3/],
  ['version 0', '{"version": 0, "server": "a", "tools": []}', 1, /1 and 2 are read too/],
  ['a text version', '{"version": "3", "tools": []}', 1, /must be the number 3/],
  ['no tools', '{"version": 3}', 1, /"tools" must be a list/],
  ['tools that are an object', '{"version": 3,\n"tools": {}}', 2, /"tools" must be a list/],
  ['an entry that is no text', '{"version": 3, "tools": [\n7]}', 2, /not text. Write/],
  ['a bad name', '{"version": 3, "tools": ["a.b",\n"nodot"]}', 2, /not a qualified tool name. Write/],
  ['a name listed twice', '{"version": 3, "tools": ["a.b",\n"a.b"]}', 2, /listed twice. Remove/],
  ['an alias collision (C6)', '{"version": 3, "tools": ["a.b__c",\n"a__b.c"]}', 2, /"a\.b__c" and "a__b\.c"/],
  ['the reserved namespace (S0-51)', '{"version": 3, "tools": ["openworker.x"]}', 1, /reserved. Choose/],
  [
    'a name beyond 80 bytes (S0-52)',
    `{"version": 3, "tools": ["a.${'x'.repeat(80)}"]}`,
    1,
    /at most 80.*Shorten/,
  ],
  [
    'v1 without a server',
    '{"version": 1,\n"tools": ["x"]}',
    1,
    /"server" must be the name of a server.*Write/,
  ],
  ['v1 with a server that is no text', '{"version": 1,\n"server": 7, "tools": []}', 2, /"server" must be/],
  ['v1 with a dotted server', '{"version": 1,\n"server": "a.b", "tools": ["c"]}', 2, /"a\.b".*Rename/],
  ['v1 with the reserved namespace (S0-51)', '{"version":1,"server":"openworker","tools":[]}', 1, /reserved/],
  ['v1 without tools', '{"version": 1, "server": "a"}', 1, /"tools" must be a list of names that its server/],
  ['v1 with an entry that is no text', '{"version":1,"server":"a","tools":[\n{}]}', 2, /not text. Write/],
  ['v1 with an empty entry', '{"version":1,"server":"a","tools":[\n""]}', 2, /is empty. Write/],
  ['v1 with a bad name', '{"version":1,"server":"a","tools":["x",\n"y z"]}', 2, /not a qualified tool name/],
  [
    'v1 with a name listed twice',
    '{"version":1,"server":"a","tools":["x",\n"x"]}',
    2,
    /listed twice. Remove/,
  ],
  [
    'v1 with an alias collision (C6)',
    '{"version":1,"server":"a","tools":["b.c",\n"b__c"]}',
    2,
    /share the model/,
  ],
  [
    'v1 with a name beyond 80 bytes (S0-52)',
    `{"version":1,"server":"acer","tools":["${'x'.repeat(76)}"]}`,
    1,
    /at most 80.*Shorten/,
  ],
  ['v2 without servers', '{"version": 2, "tools": []}', 1, /"servers" must be a list.*as version 3 does/],
  [
    'v2 with servers that are an object',
    '{"version": 2,\n"servers": {"a": []}}',
    2,
    /"servers" must be a list/,
  ],
  ['v2 with a server that is no object', '{"version": 2, "servers": [\n"a"]}', 2, /no object with "name"/],
  [
    'v2 with a server without a name',
    '{"version":2,"servers":[\n{"tools":["x"]}]}',
    2,
    /"name" must be the name/,
  ],
  ['v2 with a bad server name', '{"version":2,"servers":[\n{"name":"a b","tools":[]}]}', 2, /"a b".*Rename/],
  ['v2 with a server without tools', '{"version":2,"servers":[\n{"name":"a"}]}', 2, /"tools" must be a list/],
  [
    'v2 with a server that stands there twice',
    '{"version":2,"servers":[{"name":"a","tools":["x"]},\n{"name":"a","tools":["y"]}]}',
    2,
    /server "a" stands here a second time. Put/,
  ],
  [
    'v2 with a tool listed twice',
    '{"version":2,"servers":[{"name":"a","tools":["x",\n"x"]}]}',
    2,
    /"a\.x" is listed twice/,
  ],
  [
    'v2 with an alias collision between servers (C6)',
    '{"version":2,"servers":[{"name":"a","tools":["b__c"]},\n{"name":"a__b","tools":["c"]}]}',
    2,
    /"a\.b__c" and "a__b\.c"/,
  ],
  [
    'v2 with more than 1,000 tools in all',
    JSON.stringify({
      version: 2,
      servers: ['a', 'b'].map((name) => ({ name, tools: Array.from({ length: 501 }, (_, i) => `t${i}`) })),
    }),
    1,
    /lists 1002 tools; at most 1000/,
  ],
  ['a nesting bomb', '['.repeat(200_000), 1, /nested too deeply|not valid JSON/],
];

describe('a malformed tools.json is a problem with file, line and remedy', () => {
  it.each(toolsCases)('%s', (_name, text, line, message) => {
    const { problems } = readTools(text);
    expect(problems).toContainEqual(
      expect.objectContaining({
        file: 'coworker/tools.json',
        line,
        severity: 'error',
        message: expect.stringMatching(message) as unknown,
      }),
    );
  });

  it('warns of a field that version 3 does not have', () => {
    const read = readTools('{"version": 3, "tools": ["a.b"], "servers": []}');
    expect(read).toMatchObject({ listed: ['a.b'], problems: [{ severity: 'warning', line: 1 }] });
  });
});

describe('tools.json of version 3', () => {
  it('S0-24: is an object of version 3 with qualified names, which come back as they were written', () => {
    const names = ['example.web_search', 'acer.acer_care_center_batterystatus_get'];
    const read = readTools(JSON.stringify({ version: 3, tools: names }));
    expect(read).toMatchObject({ version: 3, listed: names, problems: [] });
    expect(read.tools.map((tool) => tool.qualified_name)).toEqual(names);
  });

  it('S0-18: is the whole selection; no other field adds to it or takes from it', () => {
    const others = { coworkers: ['x'], allow: ['a.c'], deny: ['a.b'], server: 'a', servers: [{ name: 'a' }] };
    const read = readTools(JSON.stringify({ version: 3, tools: ['a.b'], ...others }));
    expect(read.tools.map((tool) => tool.qualified_name)).toEqual(['a.b']);
    expect(read.problems.map((problem) => problem.severity)).toEqual(Array(5).fill('warning'));
  });
});

describe('tools.json of versions 1 and 2', () => {
  it('S0-60 C8: version 1 selects tools of one server, by the exact remote names, in their order', () => {
    const read = readTools('{"version":1,"server":"acer","tools":[\n"fan.speed",\n"Battery_get"]}');
    expect(read).toMatchObject({
      version: 1,
      listed: ['acer.fan.speed', 'acer.Battery_get'],
      tools: [
        { namespace: 'acer', local_name: 'fan.speed', model_alias: 'acer__fan__speed' },
        { qualified_name: 'acer.Battery_get' },
      ],
      problems: [],
    });
    expect([...read.lines]).toEqual([
      ['acer.fan.speed', 2],
      ['acer.Battery_get', 3],
    ]);
  });

  it('S0-60 C8: version 2 selects tools of several servers, and a local name may occur at each', () => {
    const read = readTools(
      '{"version":2,"servers":[\n{"name":"acer","tools":["get"]},\n{"name":"web","tools":["get","set"]},\n' +
        '{"name":"idle","tools":[]}]}',
    );
    expect(read).toMatchObject({ version: 2, listed: ['acer.get', 'web.get', 'web.set'], problems: [] });
    expect(read.tools.map((tool) => tool.qualified_name)).toEqual(read.listed);
    expect(read.lines.get('web.set')).toBe(3);
  });

  it('warns of fields that the version does not have, at the root and in a server', () => {
    expect(readTools('{"version":1,"server":"a","tools":["b"],"servers":[]}')).toMatchObject({
      listed: ['a.b'],
      problems: [{ severity: 'warning', message: expect.stringContaining('"servers"') as unknown }],
    });
    expect(
      readTools('{"version":2,"servers":[{"name":"a","tools":["b"],\n"env":{}}],\n"tools":[]}'),
    ).toMatchObject({
      listed: ['a.b'],
      problems: [
        { severity: 'warning', line: 3, message: expect.stringContaining('"tools"') as unknown },
        { severity: 'warning', line: 2, message: expect.stringContaining('"env"') as unknown },
      ],
    });
  });

  it('property, C8: a selection of servers is the same in version 2 and in version 3', () => {
    const segment = fc.stringMatching(/^[a-z0-9-]{1,12}$/);
    const servers = fc.uniqueArray(
      fc.record({ name: segment, tools: fc.uniqueArray(segment, { maxLength: 4 }) }),
      { selector: (server) => server.name, maxLength: 4 },
    );
    fc.assert(
      fc.property(servers, (selected) => {
        const names = selected.flatMap(({ name, tools }) => tools.map((tool) => `${name}.${tool}`));
        const two = readTools(JSON.stringify({ version: 2, servers: selected }));
        const three = readTools(JSON.stringify({ version: 3, tools: names }));
        expect(two.tools).toEqual(three.tools);
        expect([two.problems, three.problems]).toEqual([[], []]);
      }),
    );
  });
});

describe('property: the readers answer problems and never throw', () => {
  it('holds for headers and tool lists of any text', () => {
    const bits = fc.constantFrom(
      '---',
      '\n',
      'id: a',
      ': ',
      '- ',
      '[',
      '{',
      '"',
      '&a ',
      '*a',
      '!!x ',
      '|',
      '\t',
      '\ufeff',
      ',',
      '}',
      ']',
      '3',
      '"tools"',
      '"version"',
      '"server"',
      '"servers"',
      '"name"',
      '1',
      '2',
      ':',
    );
    const text = fc
      .array(fc.oneof(bits, fc.string({ maxLength: 4 })), { maxLength: 25 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (value) => {
        const front = readFrontmatter('f', `---\n${value}\n---\nbody`);
        for (const problem of front.problems) expect(problem.line).toBeGreaterThan(0);
        const list = readTools(value);
        expect(list.problems.length > 0 || /[123]/.test(value)).toBe(true);
      }),
      { numRuns: 1_500 },
    );
  });
});
