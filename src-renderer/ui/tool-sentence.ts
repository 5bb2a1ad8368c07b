import { isJsonObject, type Json, type JsonObject } from '../../src-preload/contract';
import type { MessageKey } from '../messages/use-text';

export type SentenceIcon =
  'list' | 'read' | 'search' | 'move' | 'write' | 'delete' | 'run' | 'message' | 'tool';

/** A sentence of the catalogue with the values for its gaps; values come from outside and are shown marked. */
export interface Sentence {
  readonly message: MessageKey;
  readonly slots: Readonly<Record<string, string>>;
  readonly icon: SentenceIcon;
}

/** `asked`: what will happen. `doing`: it happens. `done`: it came to its end. */
export type Tense = 'asked' | 'doing' | 'done';

interface KnownTool {
  readonly icon: SentenceIcon;
  readonly stem: 'list' | 'list_root' | 'read' | 'move';
  readonly slots: (given: JsonObject) => Readonly<Record<string, string>> | null;
}

function text(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function firstKey(given: JsonObject, names: readonly string[]): string | null {
  return names.find((name) => Object.hasOwn(given, name) && text(given[name]) !== null) ?? null;
}

function firstText(given: JsonObject, names: readonly string[]): string | null {
  const key = firstKey(given, names);
  return key === null ? null : text(given[key]);
}

/** Last part of a path with either separator. */
export function baseName(path: string): string {
  const parts = path.split(/[\\/]/).filter((part) => part !== '');
  return parts.at(-1) ?? path;
}

function folderOf(path: string): string {
  const parts = path.split(/[\\/]/).filter((part) => part !== '');
  return parts.length > 1 ? parts.slice(0, -1).join('/') : '.';
}

const pathOf = (given: JsonObject): string | null =>
  firstText(given, ['path', 'file', 'folder', 'directory']);

export interface Move {
  readonly from: string;
  readonly to: string;
}

const sourceKeys = ['source', 'from', 'source_path', 'path'];
const destinationKeys = ['destination', 'to', 'destination_path', 'target'];

/** The two ends of a move, whatever the tool calls them, and the arguments that say them. */
function moveOf(given: JsonObject): (Move & { readonly keys: readonly string[] }) | null {
  const source = firstKey(given, sourceKeys);
  const destination = firstKey(given, destinationKeys);
  if (source === null || destination === null) return null;
  return {
    from: text(given[source]) ?? '',
    to: text(given[destination]) ?? '',
    keys: [source, destination],
  };
}

/**
 * One move, or a list of nothing but moves under any name. `keys` are the arguments that are wholly said by it: all
 * others must be shown beside it.
 */
export function movesOf(
  given: JsonObject,
): { readonly moves: readonly Move[]; readonly keys: readonly string[] } | null {
  const single = moveOf(given);
  if (single) return { moves: [{ from: single.from, to: single.to }], keys: single.keys };
  for (const [key, value] of Object.entries(given)) {
    if (!Array.isArray(value) || value.length === 0) continue;
    const moves = (value as readonly Json[]).map((item) => {
      const move = isJsonObject(item) && Object.keys(item).length === 2 ? moveOf(item) : null;
      return move && { from: move.from, to: move.to };
    });
    if (moves.every((move) => move !== null)) return { moves, keys: [key] };
  }
  return null;
}

/** A path that may lead out of the folder: one that is absolute, or climbs. */
function mayLeave(path: string): boolean {
  return /^([\\/~]|[a-z]:)/i.test(path) || path.split(/[\\/]/).includes('..');
}

/** Short where only the name changes; whole paths where the folders are what a person must see. */
function moveSlots(given: JsonObject): Readonly<Record<string, string>> | null {
  const move = moveOf(given);
  if (!move) return null;
  const { from, to } = move;
  const sameName = baseName(from) === baseName(to) && folderOf(from) !== folderOf(to);
  return sameName || mayLeave(from) || mayLeave(to) ? { from, to } : { from: baseName(from), to };
}

const known: Readonly<Record<string, KnownTool>> = {
  'files.list': { icon: 'list', stem: 'list', slots: (given) => ({ path: pathOf(given) ?? '.' }) },
  'files.read': {
    icon: 'read',
    stem: 'read',
    slots: (given) => {
      const path = pathOf(given);
      return path === null ? null : { path };
    },
  },
  'files.move_file': { icon: 'move', stem: 'move', slots: moveSlots },
};

const iconWords: readonly (readonly [RegExp, SentenceIcon])[] = [
  [/delete|remove|trash/, 'delete'],
  [/move|rename|copy/, 'move'],
  [/search|find|grep|query/, 'search'],
  [/list|tree/, 'list'],
  [/read|get|fetch|show/, 'read'],
  [/write|patch|edit|create|save/, 'write'],
  [/run|exec|process|shell|command/, 'run'],
  [/send|post|message|mail|notify|echo/, 'message'],
];

/** Splits `server.remote.name` at the first dot; a name without one has no namespace. */
export function splitName(name: string): { readonly namespace: string | null; readonly local: string } {
  const dot = name.indexOf('.');
  return dot <= 0
    ? { namespace: null, local: name }
    : { namespace: name.slice(0, dot), local: name.slice(dot + 1) };
}

/** One plain sentence about a call, from its name and what is known of its arguments. */
export function toolSentence(name: string, given: JsonObject | null, tense: Tense): Sentence {
  const tool = Object.hasOwn(known, name) ? known[name] : undefined;
  const slots = tool && given ? tool.slots(given) : null;
  if (tool && slots) {
    // The folder of the session has no name of its own in a path: "." says nothing to a person.
    const stem = tool.stem === 'list' && slots['path'] === '.' ? 'list_root' : tool.stem;
    return { message: `sentence.${stem}.${tense}`, slots, icon: tool.icon };
  }
  const { namespace, local } = splitName(name);
  const icon = iconWords.find(([words]) => words.test(local.toLowerCase()))?.[1] ?? 'tool';
  return namespace === null
    ? { message: `sentence.call.${tense}`, slots: { tool: local }, icon: tool?.icon ?? icon }
    : {
        message: `sentence.call_on.${tense}`,
        slots: { tool: local, server: namespace },
        icon: tool?.icon ?? icon,
      };
}
