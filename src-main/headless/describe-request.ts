import { createTwoFilesPatch } from 'diff';
import {
  hiddenCharacters,
  type CommandReading,
  type FileChange,
  type RequestReading,
  type SessionEvent,
} from '../harness';
import { visible, visibleLine } from './terminal';

export type Requested = Extract<SessionEvent, { type: 'approval_requested' }>['data'];

const places = {
  in_app: 'in this program',
  application: 'in the application',
  host_process: 'on this computer, as a program of its own',
  sandboxed: 'on this computer, sandboxed',
  remote: 'on a remote server',
} as const;

const powers = {
  read: 'can read',
  write: 'can change files',
  exec: 'can run programs',
  external: 'can do anything its maker built in, also outside this computer',
} as const;

const reasons = {
  not_read_only: 'Asked because it may do more than read.',
  definition_changed: 'Asked because its definition has changed since you allowed it.',
  server_hint: 'Asked because its server says that it does more than read.',
  outside_grant: 'Asked because what you allowed does not cover these arguments.',
  uninspectable: 'Asked because nobody can tell what this command does.',
  grant_ended: 'Asked because what you allowed has lapsed.',
  arguments_changed: 'Asked because a guardrail changed what you had edited.',
  run_again: 'Asked because it is run again and its outcome the first time is unknown.',
} as const;

const states: Readonly<Record<FileChange['state'], string>> = {
  new: 'new file',
  changed: 'changed',
  same: 'stays as it is',
  deleted: 'deleted',
  not_text: 'is no text, so what changes cannot be shown',
  too_large: 'is too large, so what changes cannot be shown',
  unreadable: 'may not be read here, so what changes cannot be shown',
  does_not_fit: 'the patch does not fit what is there',
};

const diffLimits = { maxEditLength: 2_000, timeout: 500 } as const;
const maxDiffLines = 400;

/** Arguments that a guardrail keeps out of every record are named as such, never shown as something else (S1-60). */
function withheld({ guardrails = [], arguments_digest }: Requested): string {
  const names = guardrails.filter(({ action }) => action === 'withheld').map(({ guardrail }) => guardrail);
  const who = names.length === 0 ? 'a guardrail' : `guardrail ${names.map(visibleLine).join(', ')}`;
  return `withheld by ${who}, sha256 ${arguments_digest}`;
}

/** Texts in the arguments, keys too. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsOf(inner)]);
}

function hiddenLines(request: Requested): readonly string[] {
  const texts = [request.qualified_name ?? request.name, ...textsOf(request.arguments)];
  const codes = texts.flatMap((text) => hiddenCharacters(text).map(({ code }) => code));
  if (codes.length === 0) return [];
  const names = [...new Set(codes)]
    .slice(0, 8)
    .map((code) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`);
  const count = codes.length === 1 ? '1 character' : `${codes.length} characters`;
  return [
    `Careful: ${count} in this request cannot be seen (${names.join(', ')}); they are written out below.`,
  ];
}

function commandLines(reading: CommandReading, folder: string | null): readonly string[] {
  const where = folder === null ? [] : [`It would run in ${visibleLine(folder)}.`];
  if (reading.type === 'uninspectable') {
    const [from, to] = reading.at;
    const part = visibleLine(reading.text.slice(from, to));
    const reason = reading.reason.replaceAll('_', ' ');
    return [...where, `Nobody can tell what the command does (${reason}${part === '' ? '' : `: ${part}`}).`];
  }
  const lines = reading.segments.map(({ words, assignments, redirections, connector, via }, index) => {
    const set = assignments.map(({ name, value }) => `${name}=${JSON.stringify(value)}`);
    const into = redirections.map(({ operator, target }) => `${operator} ${JSON.stringify(target)}`);
    const inside = via.length === 0 ? '' : ` (inside ${via.join(', ')})`;
    const how = connector === 'first' ? '' : `${connector}: `;
    const parts = [...set, ...words.map((word) => JSON.stringify(word)), ...into].join(' ');
    return visible(`  ${index + 1}. ${how}${parts}${inside}`);
  });
  return [...where, 'Word by word:', ...lines];
}

function changeLines(change: FileChange): readonly string[] {
  const { path, real_path, before, after, state } = change;
  const real = real_path === null ? '' : ` (${visibleLine(real_path)})`;
  const head = `File ${visibleLine(path)}${real}: ${states[state]}.`;
  if (!['new', 'changed', 'deleted'].includes(state)) return [head];
  const patch = createTwoFilesPatch('now', 'then', before ?? '', after ?? '', '', '', diffLimits);
  if (patch === undefined) return [head, '  The two are too different to be shown line by line.'];
  const lines = patch.trimEnd().split('\n').slice(3);
  const rest = lines.length - maxDiffLines;
  const shown = lines.slice(0, maxDiffLines).map((line) => visible(`  ${line}`));
  return [head, ...shown, ...(rest > 0 ? [`  (${rest} more lines; the arguments hold them all)`] : [])];
}

function readingLines({ shape }: RequestReading): readonly string[] {
  if (shape.type === 'command') return commandLines(shape.reading, shape.folder);
  return shape.type === 'files' ? shape.changes.flatMap(changeLines) : [];
}

/** A request in words, with everything that a person needs for an answer; safe on a terminal. */
export function describeRequest(request: Requested, reading: RequestReading | null): string {
  const name = visibleLine(request.qualified_name ?? request.name);
  const server = request.origin.server === undefined ? '' : `, server ${visibleLine(request.origin.server)}`;
  const args = request.arguments === null ? withheld(request) : JSON.stringify(request.arguments, null, 2);
  return [
    `The coworker asks to call ${name}${server}.`,
    `It runs ${places[request.placement]} and ${powers[request.classification]}.`,
    ...hiddenLines(request),
    visible(`Arguments: ${args}`),
    ...(reading ? readingLines(reading) : []),
    reasons[request.reason],
    '',
  ].join('\n');
}
