import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { fail, ok, type Answer, type JsonObject, type Result, type Session } from '../harness';
import { answerOnTerminal } from './answer-approvals';
import type { Requested } from './describe-request';
import { createTerminal } from './terminal';

function requestOf(approval_id: string, args: JsonObject | null = { path: 'a.txt' }): Requested {
  return {
    approval_id,
    call_id: 'c_1',
    name: 'x__y',
    model_alias: 'x__y',
    qualified_name: `x.${approval_id}`,
    arguments: args,
    arguments_digest: '0',
    pin: 'p',
    classification: 'write',
    placement: 'in_app',
    presentation: 'plain',
    origin: { kind: 'native' },
    reason: 'not_read_only',
  };
}

type Given = (id: string, shown: unknown, answer: Answer) => Result<null>;

async function ask(lines: string, given: Given = () => ok(null), requests = [requestOf('a_1')]) {
  const input = new PassThrough();
  const output = new PassThrough();
  const answer = vi.fn(given);
  const terminal = createTerminal(input, output);
  input.end(lines);
  const session = { answer } as unknown as Session;
  const { signal } = new AbortController();
  const reading = (): Promise<null> => Promise.resolve(null);
  await Promise.all(
    requests.map((request) => answerOnTerminal({ terminal, session, request, reading, signal })),
  );
  terminal.close();
  return { answers: answer.mock.calls.map(([id, , said]) => [id, said]), said: String(output.read() ?? '') };
}

const allow = (scope: string, more = {}) => ['a_1', { type: 'allow', scope, by: 'person', ...more }];

describe('a request that is put to the person at the terminal', () => {
  it('is allowed by a whole letter alone, each for as long as it says', async () => {
    for (const [line, scope] of [
      ['y', 'once'],
      [' S ', 'session'],
      ['a', 'coworker'],
    ] as const) {
      expect((await ask(`${line}\n`)).answers).toEqual([allow(scope)]);
    }
    const { answers, said } = await ask('yes\nalways\nok\n\nn not now\n');
    expect(answers).toEqual([['a_1', { type: 'deny', note: 'not now', by: 'person' }]]);
    expect(said.match(/Please answer y, s, a, e or n\./g)).toHaveLength(4);
  });

  it('is denied by the host at the end of the input', async () => {
    expect((await ask('')).answers).toMatchObject([['a_1', { type: 'deny', by: 'host' }]]);
    expect((await ask('e\n')).answers).toMatchObject([['a_1', { type: 'deny', by: 'host' }]]);
  });

  it('takes other arguments as one line of JSON, once, and leaves them at an empty line', async () => {
    const { answers, said } = await ask('e\n\ne\n[1]\ne\n{"path":\ne\n{"path":"b.txt"}\n');
    expect(answers).toEqual([allow('once', { arguments: { path: 'b.txt' } })]);
    expect(said).toContain('The arguments stay as they are.');
    expect(said).toContain('have to be one JSON object');
    expect(said).toContain('This is no JSON');
  });

  it('has no arguments to edit where they are withheld', async () => {
    const { answers, said } = await ask('e\ny\n', undefined, [requestOf('a_1', null)]);
    expect(answers).toEqual([allow('once')]);
    expect(said).toContain('Please answer y, s, a or n.');
    expect(said).not.toContain('e = edit');
  });

  it('is put once more with the reason where the answer was not taken', async () => {
    const refuse: Given = (_id, _shown, answer) =>
      answer.type === 'allow' && answer.scope === 'session'
        ? fail('invalid_input', 'It would not cover this call.')
        : ok(null);
    const { answers, said } = await ask('s\ny\n', refuse);
    expect(answers).toEqual([allow('session'), allow('once')]);
    expect(said).toContain('It would not cover this call.');
  });

  it('is over where it was answered elsewhere', async () => {
    const { answers, said } = await ask('y\ny\n', () => fail('stale_answer', 'Closed.'));
    expect(answers).toHaveLength(1);
    expect(said.match(/Allow\?/g)).toHaveLength(1);
  });

  it('keeps its questions together: no other request comes between the two', async () => {
    const requests = [requestOf('a_1'), requestOf('a_2')];
    const { answers } = await ask('e\n{"path":"b.txt"}\nn\n', undefined, requests);
    expect(answers).toEqual([
      allow('once', { arguments: { path: 'b.txt' } }),
      ['a_2', { type: 'deny', note: '', by: 'person' }],
    ]);
  });
});
