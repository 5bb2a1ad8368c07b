/** Names that are selected, and the one from which a range is drawn. */
export interface ToolSelection {
  readonly names: ReadonlySet<string>;
  readonly anchor: string | null;
}

export const nothingSelected: ToolSelection = { names: new Set(), anchor: null };

/** One tick, or with `range` everything shown from the last one to here: all of it becomes what this one becomes. */
export function selectTool(
  selection: ToolSelection,
  shown: readonly string[],
  name: string,
  range: boolean,
): ToolSelection {
  const on = !selection.names.has(name);
  const from = range && selection.anchor !== null ? shown.indexOf(selection.anchor) : -1;
  const to = shown.indexOf(name);
  const touched = from < 0 || to < 0 ? [name] : shown.slice(Math.min(from, to), Math.max(from, to) + 1);
  const names = new Set(selection.names);
  for (const each of touched) {
    if (on) names.add(each);
    else names.delete(each);
  }
  return { names, anchor: name };
}

/** Selects everything shown; where it is all selected already, it takes that back and leaves the rest selected. */
export function selectShown(selection: ToolSelection, shown: readonly string[]): ToolSelection {
  const names = new Set(selection.names);
  const all = shown.length > 0 && shown.every((name) => names.has(name));
  for (const name of shown) {
    if (all) names.delete(name);
    else names.add(name);
  }
  return { names, anchor: null };
}

/** How much of what is shown is selected. */
export function shownState(selection: ToolSelection, shown: readonly string[]): 'none' | 'some' | 'all' {
  const count = shown.filter((name) => selection.names.has(name)).length;
  if (count === 0) return 'none';
  return count === shown.length ? 'all' : 'some';
}

/** Without names that are no longer there to be selected. */
export function keepKnown(selection: ToolSelection, known: ReadonlySet<string>): ToolSelection {
  const names = [...selection.names].filter((name) => known.has(name));
  return names.length === selection.names.size ? selection : { ...selection, names: new Set(names) };
}
