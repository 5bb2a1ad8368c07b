import { type CommandReading } from '../protocol';
import { coversCommand, listFor, neededWords } from './covers-command';
import { programNames } from './program-name';
import { narrowSubcommands, widePrograms } from './wide-programs';

/** A program in a folder may be another one tomorrow, and other words may read like two. */
const plainName = /^[A-Za-z0-9_-][A-Za-z0-9_.:+-]*$/;

/**
 * The words to offer for a permission: the program, and which of its commands. Null where there is more than one
 * command, where it is no better than the whole line, or where the permission would not cover the line itself.
 */
export function prefixOf(reading: CommandReading): readonly string[] | null {
  if (reading.type !== 'read' || reading.segments.length !== 1) return null;
  const words = reading.segments[0]?.words ?? [];
  const length = prefixLength(words);
  const prefix = words.slice(0, length);
  if (length === 0 || !prefix.every((word) => plainName.test(word))) return null;
  return coversCommand(prefix, reading) ? prefix : null;
}

function prefixLength(words: readonly string[]): number {
  const [program = '', ...others] = words;
  const names = programNames(program);
  const needed = Math.max(...names.map((name) => neededWords(name, others)));
  const listed = listFor(words);
  if (listed) return Math.max(listed.length, needed + 1);
  if (needed === 0) return names.some((name) => widePrograms.has(name)) ? 0 : 1;
  return names.some((name) => narrowSubcommands.has(`${name} ${others[0] ?? ''}`)) ? needed + 1 : 0;
}
