import { describe, expect, it } from 'vitest';
import {
  keepKnown,
  nothingSelected,
  selectShown,
  selectTool,
  shownState,
  type ToolSelection,
} from './tool-selection';

const shown = ['a', 'b', 'c', 'd', 'e'];
const names = (selection: ToolSelection): string => [...selection.names].sort().join('');
const tick = (selection: ToolSelection, name: string, range = false): ToolSelection =>
  selectTool(selection, shown, name, range);

describe('field report 33: selecting many tools at once', () => {
  it('ticks one at a time', () => {
    const one = tick(nothingSelected, 'b');
    expect(names(tick(one, 'd'))).toBe('bd');
    expect(names(tick(one, 'b'))).toBe('');
  });

  it('ticks everything between two with Shift, upwards and downwards', () => {
    expect(names(tick(tick(nothingSelected, 'b'), 'd', true))).toBe('bcd');
    expect(names(tick(tick(nothingSelected, 'd'), 'b', true))).toBe('bcd');
  });

  it('unticks a range where the second one was ticked', () => {
    const all = selectShown(nothingSelected, shown);
    expect(names(tick(tick(all, 'b'), 'd', true))).toBe('ae');
  });

  it('ticks one alone where the first of a range is not shown any more', () => {
    const before = tick(nothingSelected, 'a');
    expect(names(selectTool(before, ['c', 'd', 'e'], 'e', true))).toBe('ae');
    expect(names(tick(nothingSelected, 'c', true))).toBe('c');
  });

  it('ticks what is shown and leaves what is not', () => {
    const before = tick(nothingSelected, 'e');
    const more = selectShown(before, ['a', 'b']);
    expect(names(more)).toBe('abe');
    expect(names(selectShown(more, ['a', 'b']))).toBe('e');
    expect([shownState(more, ['a', 'b']), shownState(more, ['a', 'c']), shownState(more, ['c'])]).toEqual([
      'all',
      'some',
      'none',
    ]);
    expect(shownState(more, [])).toBe('none');
  });

  it('forgets tools that are gone', () => {
    const before = selectShown(nothingSelected, ['a', 'b']);
    expect(names(keepKnown(before, new Set(['b', 'c'])))).toBe('b');
    expect(keepKnown(before, new Set(['a', 'b']))).toBe(before);
  });
});
