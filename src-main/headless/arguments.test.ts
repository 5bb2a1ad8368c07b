import { describe, expect, it } from 'vitest';
import { readArguments } from './arguments';
import { dataFolder } from './data-folder';
import { parsePracticeLine } from './practice-terminal';
import { visible, visibleLine } from './terminal';

const answer = ['approvals', 'answer', 'a_1', '--bundle', 'b'];
const run = ['run', '--bundle', 'b', '--model', 'practice'];

describe('the command line', () => {
  it('reads a whole run (S0-20)', () => {
    const argv = [
      'run',
      '--bundle',
      'b',
      '--servers',
      's.json',
      '--guardrails',
      'g.json',
      '--workspace',
      'w',
      '--model',
      'openai-compatible:a/b:c',
      '--base-url',
      'http://127.0.0.1:1/v1',
      '--api-key-env',
      'K',
      '--approve',
      'once',
      '--data',
      'd',
      '--json',
      'Hello there',
    ];
    expect(readArguments(argv)).toEqual({
      ok: true,
      value: {
        command: 'run',
        bundle: 'b',
        servers: 's.json',
        guardrails: 'g.json',
        workspace: 'w',
        provider: 'openai-compatible',
        model: 'a/b:c',
        baseUrl: 'http://127.0.0.1:1/v1',
        apiKeyEnv: 'K',
        approve: 'once',
        data: 'd',
        json: true,
        message: 'Hello there',
      },
    });
  });

  it.each<[string[], RegExp]>([
    [['run', '--model', 'practice', 'hi'], /--bundle/],
    [['run', '--bundle', 'b', 'hi'], /--model/],
    [['run', '--bundle', 'b', '--model', 'gpt', 'hi'], /PROVIDER:NAME/],
    [['run', '--bundle', 'b', '--model', 'anthropic', 'hi'], /PROVIDER:NAME/],
    [['run', '--bundle', 'b', '--model', 'openai-compatible:x', 'hi'], /--base-url/],
    [[...run, '--approve', 'always', 'hi'], /ask, once, deny/],
    [run, /one message/],
    [[...run, ''], /one message/],
    [[...run, 'two', 'words'], /one message/],
    [[...run, '--nonsense', 'hi'], /nonsense/],
    [['bundle', 'check'], /folder/],
    [['bundle', 'check', 'b', '--approve', 'ask'], /takes no --approve/],
    [['sessions', 'show'], /id/],
    [['fly'], /"fly" is no command/],
    [['sessions'], /"sessions list" or "sessions show"/],
    [['approvals'], /"approvals list" or "approvals show" or "approvals answer"/],
    [['approvals', 'list', 'x'], /takes no further words/],
    [['approvals', 'show'], /the id of one request/],
    [['approvals', 'show', ''], /the id of one request/],
    [['approvals', 'show', 'a', '--deny'], /takes no --deny/],
    [['grants', 'revoke'], /the id of one permission/],
    [['sessions', 'resume', 's'], /needs --bundle/],
    [['sessions', 'resume', 's', '--bundle', 'b', '--approve', 'x'], /ask, once, deny/],
    [[...answer], /either --allow .* or --deny/],
    [[...answer, '--allow', 'once', '--deny'], /either --allow .* or --deny/],
    [[...answer, '--allow', 'always'], /once, session, coworker/],
    [[...answer, '--allow', 'once', '--note', 'x'], /--note goes with --deny/],
    [[...answer, '--deny', '--arguments', '{}'], /--arguments goes with --allow/],
    [[...answer, '--deny', '--shown', 'abc'], /--shown takes the digest/],
    [['approvals', 'answer', 'a', '--deny'], /needs --bundle/],
    [['bundle'], /"bundle check"/],
  ])('refuses %j and says what is wrong', (argv, words) => {
    const read = readArguments(argv);
    expect(read.ok).toBe(false);
    if (!read.ok) expect(read.error.message).toMatch(words);
  });

  it('reads answers, and what a waiting turn goes on with', () => {
    const parts = {
      bundle: 'b',
      servers: null,
      guardrails: null,
      baseUrl: null,
      apiKeyEnv: null,
      data: null,
      json: false,
    };
    const shown = '0'.repeat(64);
    const given = { ...parts, command: 'approvals answer', id: 'a_1' };
    for (const [options, facts] of [
      [['--deny'], { answer: { type: 'deny', note: '' }, shown: null }],
      [['--deny', '--note', 'no'], { answer: { type: 'deny', note: 'no' }, shown: null }],
      [
        ['--allow', 'coworker', '--shown', shown],
        { answer: { type: 'allow', scope: 'coworker', arguments: null }, shown },
      ],
      [
        ['--allow', 'once', '--arguments', '@f.json'],
        { answer: { type: 'allow', scope: 'once', arguments: '@f.json' }, shown: null },
      ],
    ] as const) {
      expect(readArguments([...answer, ...options])).toEqual({ ok: true, value: { ...given, ...facts } });
    }
    expect(readArguments(['sessions', 'resume', 's_1', '--bundle', 'b', '--json'])).toEqual({
      ok: true,
      value: { ...parts, command: 'sessions resume', id: 's_1', approve: 'ask', json: true },
    });
    expect(readArguments(['grants', 'revoke', 'g_1', '--data', 'd'])).toEqual({
      ok: true,
      value: { command: 'grants revoke', id: 'g_1', data: 'd', json: false },
    });
  });

  it('knows the data folder of each platform', () => {
    expect(dataFolder(null, { XDG_CONFIG_HOME: '/x' }, 'linux', '/home/a')).toBe('/x/OpenWorker');
    expect(dataFolder(null, {}, 'linux', '/home/a')).toBe('/home/a/.config/OpenWorker');
    expect(dataFolder(null, {}, 'darwin', '/Users/a')).toBe(
      '/Users/a/Library/Application Support/OpenWorker',
    );
    expect(dataFolder(null, { APPDATA: '/r' }, 'win32', '/h')).toBe('/r/OpenWorker');
  });

  it('reads what the person lets the practice model do', () => {
    expect(parsePracticeLine('say Hello there')).toEqual({ type: 'reply', text: 'Hello there' });
    expect(parsePracticeLine('call files.list {"path":"."}')).toEqual({
      type: 'call',
      name: 'files__list',
      arguments: { path: '.' },
    });
    expect(parsePracticeLine('call files__list')).toEqual({
      type: 'call',
      name: 'files__list',
      arguments: {},
    });
    for (const line of ['', 'call', 'call x [1]', 'call x {', 'hello'])
      expect(parsePracticeLine(line)).toBeNull();
  });

  it('hazard 5, 6: writes out what could hide or repaint text on a terminal', () => {
    expect(visible('a\u001b[2Jb\u202ec\u200bd\u009be\u{e0041}\ttab\nline')).toBe(
      'a<U+001B>[2Jb<U+202E>c<U+200B>d<U+009B>e<U+E0041>  tab\nline',
    );
  });

  it('keeps a name on its own line, so that it cannot pass for a line of the program', () => {
    expect(visibleLine('x\nAllow? y = once: y')).toBe('x<U+2028>Allow? y = once: y');
    expect(visibleLine('a'.repeat(1_000))).toHaveLength(300);
  });
});
