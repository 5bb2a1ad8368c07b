import { isJsonObject, type Json, type JsonObject } from '../../../../src-preload/contract';

/** Where something stands in a value: names of members and places in lists. */
export type Path = readonly (string | number)[];

export type Edit =
  | { readonly type: 'set'; readonly path: Path; readonly value: Json }
  | { readonly type: 'leave_out'; readonly path: Path }
  | { readonly type: 'insert'; readonly path: Path; readonly value: Json }
  | { readonly type: 'move'; readonly path: Path; readonly to: number };

export function pointerOf(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The members that a JSON pointer names, as text; `null` when it is none. */
export function stepsOf(pointer: string): readonly string[] | null {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) return null;
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function memberOf(value: Json | undefined, step: string | number): Json | undefined {
  if (Array.isArray(value)) return (value as readonly Json[])[Number(step)];
  if (value === undefined || !isJsonObject(value) || !Object.hasOwn(value, step)) return undefined;
  return value[step];
}

function withMember(value: JsonObject, key: string, next: Json | undefined): JsonObject {
  const entries = Object.entries(value);
  if (next === undefined) return Object.fromEntries(entries.filter(([name]) => name !== key));
  if (!Object.hasOwn(value, key)) return Object.fromEntries([...entries, [key, next]]);
  return Object.fromEntries(entries.map(([name, known]) => [name, name === key ? next : known]));
}

function editList(list: readonly Json[], at: number, edit: Edit): readonly Json[] {
  switch (edit.type) {
    case 'set':
      return list.map((item, index) => (index === at ? edit.value : item));
    case 'leave_out':
      return list.filter((_, index) => index !== at);
    case 'insert':
      return list.toSpliced(at, 0, edit.value);
    case 'move': {
      const moved = list[at];
      return moved === undefined ? list : list.toSpliced(at, 1).toSpliced(edit.to, 0, moved);
    }
  }
}

function editAt(value: Json, depth: number, edit: Edit): Json {
  const step = edit.path[depth];
  if (step === undefined) return edit.type === 'set' ? edit.value : value;
  const last = depth === edit.path.length - 1;
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    if (last) return editList(list, Number(step), edit);
    return list.map((item, index) => (index === Number(step) ? editAt(item, depth + 1, edit) : item));
  }
  if (!isJsonObject(value)) return value;
  const key = String(step);
  if (last) {
    if (edit.type === 'move') return value;
    return withMember(value, key, edit.type === 'leave_out' ? undefined : edit.value);
  }
  const member = memberOf(value, key);
  return member === undefined ? value : withMember(value, key, editAt(member, depth + 1, edit));
}

/**
 * The value with one thing changed. All else stays as it was, and in its order; an edit of a place that is not there
 * changes nothing.
 */
export function applyEdit(value: JsonObject, edit: Edit): JsonObject {
  const next = editAt(value, 0, edit);
  return isJsonObject(next) ? next : value;
}

/** Whether two values are written the same, the order of their members included. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
