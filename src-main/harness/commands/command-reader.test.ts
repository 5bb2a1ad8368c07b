import { beforeAll, describe, expect, it } from 'vitest';
import { type CommandReading, type CommandSegment } from '../protocol';
import { openCommandReader, type CommandReader } from './command-reader';

let reader: CommandReader;
beforeAll(async () => {
  // A clock that stands still: a busy machine is no reason to read less here.
  reader = await openCommandReader(() => 0);
});

function segmentsOf(reading: CommandReading): readonly CommandSegment[] {
  if (reading.type === 'read') return reading.segments;
  throw new Error(`${reading.reason} at ${reading.at.join('-')}: ${reading.text}`);
}

const wordsOf = (text: string): readonly (readonly string[])[] =>
  segmentsOf(reader.read(text)).map(({ words }) => words);

/** The reason, and the part of the text that it points to. */
function doubtOf(reading: CommandReading): [string, string] {
  if (reading.type === 'read') throw new Error(`It was read: ${reading.text}`);
  return [reading.reason, reading.text.slice(...reading.at)];
}

describe('a command line that is read', () => {
  it('has its words without quotes and escapes', () => {
    expect(wordsOf(`git commit -m 'it'\\''s "so"' "a\\"b\\\\c" d\\ e ''`)).toEqual([
      ['git', 'commit', '-m', 'it\'s "so"', 'a"b\\c', 'd e', ''],
    ]);
    expect(wordsOf('echo "100 $" "a\\nb" stash@{0} HEAD~2 a^b {} x#y ] =')).toEqual([
      ['echo', '100 $', 'a\\nb', 'stash@{0}', 'HEAD~2', 'a^b', '{}', 'x#y', ']', '='],
    ]);
  });

  it('says how each command joins the one before, and which go on in the background', () => {
    const segments = segmentsOf(reader.read('a && b || c | d |& e; f\ng & h && i &'));
    expect(
      segments.map(({ words, connector, background }) => [words[0], connector, background ?? false]),
    ).toEqual([
      ['a', 'first', false],
      ['b', 'and', false],
      ['c', 'or', false],
      ['d', 'pipe', false],
      ['e', 'pipe', false],
      ['f', 'sequence', false],
      ['g', 'sequence', true],
      ['h', 'background', true],
      ['i', 'and', true],
    ]);
    expect(segments[3]?.redirections).toEqual([{ operator: '2>&', target: '1' }]);
  });

  it('keeps assignments and redirections apart from the words', () => {
    expect(segmentsOf(reader.read(`A='x y' B= prog one >out 2>&1 <in &>>both two`))).toEqual([
      {
        words: ['prog', 'one', 'two'],
        assignments: [
          { name: 'A', value: 'x y' },
          { name: 'B', value: '' },
        ],
        redirections: [
          { operator: '>', target: 'out' },
          { operator: '2>&', target: '1' },
          { operator: '<', target: 'in' },
          { operator: '&>>', target: 'both' },
        ],
        connector: 'first',
        via: [],
      },
    ]);
    expect(segmentsOf(reader.read('A=1'))[0]).toMatchObject({
      words: [],
      assignments: [{ name: 'A', value: '1' }],
    });
  });

  it('goes on over lines and leaves comments out', () => {
    expect(wordsOf('git log \\\n  --oneline # newest first\n\n\nls |\n  wc -l\n')).toEqual([
      ['git', 'log', '--oneline'],
      ['ls'],
      ['wc', '-l'],
    ]);
  });

  it('is plain JSON with its own text', () => {
    const reading = reader.read('sudo ls > x & é 😀');
    expect(JSON.parse(JSON.stringify(reading))).toEqual(reading);
    expect(reading.text).toBe('sudo ls > x & é 😀');
  });
});

describe('a text that is not read', () => {
  it.each([
    ['', 'empty', ''],
    ['  # nothing', 'empty', '  # nothing'],
    ["echo 'x", 'unfinished', "'x"],
    ['echo "x', 'unfinished', '"x'],
    ['a &&', 'unfinished', ''],
    ['a | | b', 'syntax', '|'],
    ['a >', 'syntax', '>'],
    ['a 12>x', 'syntax', '12'],
    ['( a )', 'grouping', '('],
    ['f() { a; }', 'grouping', '('],
    ['{ a; }', 'grouping', '{'],
    ['A=(1 2)', 'grouping', '('],
    ['for x in a; do b; done', 'control_structure', 'for'],
    ['a; if b; then c; fi', 'control_structure', 'if'],
    ['! a', 'control_structure', '!'],
    ['[ -f x ]', 'control_structure', '['],
    ['[[ -f x ]]', 'control_structure', '['],
    ['case a in b', 'control_structure', 'case'],
    ['case a in b) c;; esac', 'grouping', ')'],
    ['a;; b', 'control_structure', ';;'],
    ['echo 😀 $x', 'variable', '$x'],
    ['echo "${x}"', 'variable', '${'],
    ['A+=x', 'variable', 'A+=x'],
    ['a {fd}>x', 'variable', '{fd}'],
    ['echo $(id)', 'command_substitution', '$('],
    ['echo "`id`"', 'command_substitution', '`'],
    ['cat <(id)', 'process_substitution', '<('],
    ["echo $'\\x3b'", 'quoted_escapes', "$'"],
    ['echo $"x"', 'translated_string', '$"'],
    ['ls *.ts', 'glob', '*'],
    ['ls a?', 'glob', '?'],
    ['ls [a]', 'glob', '['],
    ['ls {a,b}', 'brace_expansion', '{a,b}'],
    ['ls x{1..3}', 'brace_expansion', 'x{1..3}'],
    ['ls ~/x', 'tilde', '~'],
    ['ls a=~', 'tilde', '~'],
    ['cat <<x\nx', 'here_document', '<<'],
    ['cat <<<x', 'here_string', '<<<'],
    ['lo\\\ng', 'line_break_in_word', '\\\n'],
    ['eval ls', 'shell_state', 'eval'],
    ['a; \\export A=1', 'shell_state', '\\export'],
    ['. ./x', 'shell_state', '.'],
    ['%1', 'shell_state', '%1'],
    ["test -v 'a[$(touch F)]'", 'shell_state', 'test'],
    ["test 'a[$(touch F)]' -eq 1", 'shell_state', 'test'],
    ["printf %d 'a[`touch F`]'", 'shell_state', 'printf'],
    ["printf -v 'a[$(touch F)]' x", 'shell_state', 'printf'],
    ['pwsh -c ls', 'shell_not_read', 'pwsh'],
  ])('%j is %s at %j', (text, reason, part) => {
    expect(doubtOf(reader.read(text))).toEqual([reason, part]);
  });

  it('is one whose words two readers cut differently', () => {
    expect(doubtOf(reader.read('echo \\ x'))).toEqual(['readers_disagree', '\\ x']);
  });

  it('is one that is too long, has too many commands or takes too long', async () => {
    expect(doubtOf(reader.read(`echo ${'a'.repeat(65_536)}`))[0]).toBe('too_long');
    expect(segmentsOf(reader.read('a; '.repeat(50)))).toHaveLength(50);
    for (const line of ['a; ', 'a && ', 'a | ']) {
      expect(doubtOf(reader.read(`${line.repeat(12_000)}a`))[0]).toBe('too_many_commands');
    }
    expect(doubtOf(reader.read('env a; '.repeat(26)))[0]).toBe('too_many_commands');
    let hours = 0;
    const slow = await openCommandReader(() => (hours += 3_600_000));
    expect(doubtOf(slow.read(`echo ${'a '.repeat(30_000)}`))[0]).toBe('too_slow');
    expect(slow.read('git log').type).toBe('read');
    expect(slow.problem).toBeNull();
  });

  it('is read within a moment at its largest', () => {
    const before = performance.now();
    const reading = reader.read(`echo ${"'a' ".repeat(16_000)}`);
    expect(segmentsOf(reading)[0]?.words).toHaveLength(16_001);
    expect(performance.now() - before).toBeLessThan(3_000);
  });

  it('is every text of another shell', () => {
    expect(segmentsOf(reader.readFor('posix')('ls'))).toHaveLength(1);
    for (const shell of ['powershell', 'cmd'] as const) {
      expect(doubtOf(reader.readFor(shell)('git log'))).toEqual(['shell_not_read', 'git log']);
    }
  });
});

describe('a program with its arguments', () => {
  it('is one command, and its words mean only themselves', () => {
    const reading = reader.readArgv(['git', 'log', '$(id)', "it's; *", '']);
    expect(reading.text).toBe(`git log '$(id)' 'it'\\''s; *' ''`);
    expect(segmentsOf(reading).map(({ words }) => words)).toEqual([['git', 'log', '$(id)', "it's; *", '']]);
  });

  it('is looked into where it is a wrapper, and refused where it hides something', () => {
    expect(segmentsOf(reader.readArgv(['env', 'A=1', 'ls'])).map(({ words }) => words)).toEqual([
      ['env', 'A=1', 'ls'],
      ['ls'],
    ]);
    expect(segmentsOf(reader.readArgv(['sh', '-c', 'ls; id'])).map(({ words }) => words[0])).toEqual([
      'sh',
      'ls',
      'id',
    ]);
    expect(doubtOf(reader.readArgv(['sh', '-c', 'echo $x']))).toEqual(['variable', "'echo $x'"]);
    expect(doubtOf(reader.readArgv(['ls', 'a\rb']))).toEqual(['control_character', '\r']);
    expect(doubtOf(reader.readArgv([]))).toEqual(['empty', '']);
  });
});
