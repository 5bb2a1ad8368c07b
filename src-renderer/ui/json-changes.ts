import { isJsonObject, type DefinitionChange, type Json, type JsonObject } from '../../src-preload/contract';

const escape = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
const same = (a: Json | undefined, b: Json | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);

function collect(
  path: string,
  before: Json | undefined,
  after: Json | undefined,
  changes: DefinitionChange[],
): void {
  if (same(before, after)) return;
  if (before !== undefined && after !== undefined && isJsonObject(before) && isJsonObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const own = (value: JsonObject): Json | undefined =>
        Object.hasOwn(value, key) ? value[key] : undefined;
      collect(`${path}/${escape(key)}`, own(before), own(after), changes);
    }
    return;
  }
  changes.push({
    path,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  });
}

/** Where two JSON objects differ, field by field, as JSON Pointers; a list differs as a whole. */
export function jsonChanges(before: JsonObject, after: JsonObject): readonly DefinitionChange[] {
  const changes: DefinitionChange[] = [];
  collect('', before, after, changes);
  return changes;
}
