import type { CommandFacts } from './approvals';
import { coversCommand, prefixOf, type CommandReader } from './commands';
import type { CommandReading, JsonObject } from './protocol';
import type { Tool } from './tools';

/** One reader of commands for policy, suggestions and what a person is shown, so that the three never disagree. */
export interface CommandDesk {
  /** What a grant has to know of the command; null for a tool that runs none. */
  facts(tool: Pick<Tool, 'presentation'>, args: JsonObject): CommandFacts | null;
  /** The command as a person is shown it; null where the arguments name none. */
  reading(args: JsonObject): CommandReading | null;
  /** The words that a narrower permission for this command begins with; null where none is sensible. */
  prefix(reading: CommandReading): readonly string[] | null;
}

/** Shells whose language the reader knows. */
const readShells = /(^|\/)(sh|bash|dash)$/;

function wordsOf(argv: readonly unknown[]): readonly string[] | null {
  const words = argv.filter((word) => typeof word === 'string');
  return words.length > 0 && words.length === argv.length ? words : null;
}

/**
 * By the convention of tools that run commands (`RegistrationOptions.presentation`): `command` is text for a shell,
 * `argv` a program with its arguments, which no shell sees. Arguments with both say nothing that could be relied on.
 */
function readingOf(reader: CommandReader, { command, argv, shell }: JsonObject): CommandReading | null {
  if (typeof command === 'string' && argv === undefined) {
    const known = shell === undefined || (typeof shell === 'string' && readShells.test(shell));
    return (known ? reader.read : reader.readFor('cmd'))(command);
  }
  const words = command === undefined && Array.isArray(argv) ? wordsOf(argv) : null;
  return words && reader.readArgv(words);
}

export function commandDesk(reader: CommandReader): CommandDesk {
  return {
    facts({ presentation }, args) {
      if (presentation !== 'command') return null;
      const reading = readingOf(reader, args);
      const at = args['command'] === undefined ? 'argv' : 'command';
      if (!reading) return { at, inspectable: false, covers: () => false };
      return {
        at,
        inspectable: reading.type === 'read',
        covers: (words) => coversCommand(words, reading),
      };
    },
    reading: (args) => readingOf(reader, args),
    prefix: prefixOf,
  };
}
