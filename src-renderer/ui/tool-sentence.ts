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
  readonly stem: 'list' | 'read' | 'move';
  readonly slots: (given: JsonObject) => Readonly<Record<string, string>> | null;
}

function text(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function firstText(given: JsonObject, names: readonly string[]): string | null {
  for (const name of names) {
    const value = text(given[name]);
    if (value !== null) return value;
  }
  return null;
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

/** The two ends of a move, whatever the tool calls them. */
export function moveOf(given: JsonObject): { readonly from: string; readonly to: string } | null {
  const from = firstText(given, ['source', 'from', 'source_path', 'path']);
  const to = firstText(given, ['destination', 'to', 'destination_path', 'target']);
  return from !== null && to !== null ? { from, to } : null;
}

/** A list of moves under any of the usual names. */
export function movesOf(given: JsonObject): { readonly from: string; readonly to: string }[] | null {
  const single = moveOf(given);
  if (single) return [single];
  const list = Object.values(given).find((value) => Array.isArray(value)) as readonly Json[] | undefined;
  if (!list || list.length === 0) return null;
  const moves = list.map((item) => (isJsonObject(item) ? moveOf(item) : null));
  return moves.every((move) => move !== null) ? moves : null;
}

function moveSlots(given: JsonObject): Readonly<Record<string, string>> | null {
  const move = moveOf(given);
  if (!move) return null;
  const folder = folderOf(move.to);
  const sameName = baseName(move.from) === baseName(move.to);
  return { from: baseName(move.from), to: sameName && folder !== '.' ? folder : move.to };
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
  if (tool && slots) return { message: `sentence.${tool.stem}.${tense}`, slots, icon: tool.icon };
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
