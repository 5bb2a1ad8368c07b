import { describe, expect, it } from 'vitest';
import type { CommandReading, FileChange, RequestReading } from '../harness';
import { describeRequest, type Requested } from './describe-request';

const request: Requested = {
  approval_id: 'a_1',
  call_id: 'c_1',
  name: 'shell__run',
  model_alias: 'shell__run',
  qualified_name: 'shell.run',
  arguments: { command: 'git log' },
  arguments_digest: '0'.repeat(64),
  pin: 'p',
  classification: 'exec',
  placement: 'host_process',
  presentation: 'command',
  origin: { kind: 'native' },
  reason: 'not_read_only',
};

const reads = (shape: RequestReading['shape']): RequestReading => ({ shape, suggestions: [], schema: null });
const files = (change: Partial<FileChange>): RequestReading =>
  reads({
    type: 'files',
    changes: [
      { path: 'a.txt', real_path: '/w/a.txt', before: 'one\n', after: 'two\n', state: 'changed', ...change },
    ],
  });

describe('a request on the terminal', () => {
  it('says what runs where, with what, and why it is asked', () => {
    const said = describeRequest(request, null);
    expect(said).toContain('asks to call shell.run.');
    expect(said).toContain('on this computer, as a program of its own and can run programs');
    expect(said).toContain('"command": "git log"');
    expect(said).toContain('it may do more than read');
  });

  it('shows a command word by word, and how its parts are joined', () => {
    const plain = { assignments: [], redirections: [], via: [] };
    const reading: CommandReading = {
      type: 'read',
      text: "FOO=1 git log && sudo rm 'a b' > out.txt",
      segments: [
        { ...plain, words: ['git', 'log'], connector: 'first', assignments: [{ name: 'FOO', value: '1' }] },
        {
          ...plain,
          words: ['rm', 'a b'],
          connector: 'and',
          via: ['sudo'],
          redirections: [{ operator: '>', target: 'out.txt' }],
        },
      ],
    };
    const said = describeRequest(request, reads({ type: 'command', reading, folder: '/w' }));
    expect(said).toContain('It would run in /w.');
    expect(said).toContain('  1. FOO="1" "git" "log"\n');
    expect(said).toContain('  2. and: "rm" "a b" > "out.txt" (inside sudo)\n');
  });

  it('hazard 11: says which part of a command nobody can tell', () => {
    const reading: CommandReading = {
      type: 'uninspectable',
      text: 'echo $(x)',
      reason: 'command_substitution',
      at: [5, 9],
    };
    const said = describeRequest(request, reads({ type: 'command', reading, folder: null }));
    expect(said).toContain('Nobody can tell what the command does (command substitution: $(x)).');
  });

  it('shows what a file loses and gains, or why that cannot be shown', () => {
    const changed = describeRequest(request, files({}));
    expect(changed).toContain('File a.txt (/w/a.txt): changed.\n');
    expect(changed).toContain('  -one\n  +two\n');
    expect(describeRequest(request, files({ before: null, state: 'new' }))).toContain('  +two\n');
    expect(describeRequest(request, files({ after: null, state: 'deleted' }))).toContain('  -one\n');
    const odd = describeRequest(request, files({ after: null, state: 'does_not_fit' }));
    expect(odd).toContain('the patch does not fit what is there.');
    expect(odd).not.toContain('-one');
  });

  it('ends with long changes soon, and says so', () => {
    const text = (word: string): string =>
      Array.from({ length: 1_500 }, (_, at) => `${word} ${at}\n`).join('');
    const long = describeRequest(request, files({ before: null, after: text('x'), state: 'new' }));
    expect(long).toMatch(/\(1101 more lines; the arguments hold them all\)/);
    const different = describeRequest(request, files({ before: text('x'), after: text('y') }));
    expect(different).toContain('too different to be shown line by line');
  });

  it('hazard 5: counts the characters that cannot be seen, in keys and in names too, and writes them out', () => {
    const tricky = {
      ...request,
      qualified_name: 'shell.r\u200bun',
      arguments: { 'pa\u2066th': ['a\u202eb', { c: '\u3164' }] },
    };
    const said = describeRequest(tricky, files({ after: 'x\u202ey\n' }));
    expect(said).toMatch(/Careful: 4 characters .* \(U\+200B, U\+2066, U\+202E, U\+3164\)/);
    expect(said).toContain('  +x<U+202E>y\n');
    expect(said).toContain('shell.r<U+200B>un');

    expect(said).not.toMatch(/[\u200b\u2066\u202e\u3164]/);
    expect(describeRequest(request, null)).not.toContain('Careful');
  });

  it('names withheld arguments as such (S1-60)', () => {
    const finding = { guardrail: 'secret_redaction', stage: 'input', action: 'withheld' } as const;
    const guardrails = [{ ...finding, findings: [], note: '' }];
    const said = describeRequest({ ...request, arguments: null, guardrails }, null);
    expect(said).toContain(`withheld by guardrail secret_redaction, sha256 ${'0'.repeat(64)}`);
  });
});
