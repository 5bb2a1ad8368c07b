import { describe, expect, it } from 'vitest';
import { openEditor, reduceEditor, type EditorAction, type EditorState } from './editor-state';

const value = { to: 'ann@example.org', count: 1 };
const after = (state: EditorState, ...actions: readonly EditorAction[]): EditorState =>
  actions.reduce(reduceEditor, state);
const form = openEditor(value, 'form');
const problem = { path: '/count', message: 'This is not a number.' };

describe('the draft of edited arguments', () => {
  it('is the same in both views', () => {
    const edited = after(form, { type: 'edit', edit: { type: 'set', path: ['count'], value: 2 } });
    const raw = after(edited, { type: 'show', view: 'raw' });
    expect(JSON.parse(raw.raw)).toEqual({ ...value, count: 2 });
    const written = after(raw, { type: 'write', raw: '{"to": "bob@example.org"}' });
    const back = after(written, { type: 'show', view: 'form' });
    expect(back).toMatchObject({ view: 'form', value: { to: 'bob@example.org' } });
  });

  it('keeps the text as the person wrote it, as long as it means the value', () => {
    const text = '{"to":"x",   "count":1}';
    const written = after(form, { type: 'show', view: 'raw' }, { type: 'write', raw: text });
    const there = after(written, { type: 'show', view: 'form' }, { type: 'show', view: 'raw' });
    expect(there.raw).toBe(text);
    const edit: EditorAction = { type: 'edit', edit: { type: 'set', path: ['count'], value: 2 } };
    const changed = after(written, { type: 'show', view: 'form' }, edit, { type: 'show', view: 'raw' });
    expect(changed.raw).toBe('{\n  "to": "x",\n  "count": 2\n}');
  });

  it('stays where it is while its text means nothing, and loses none of it', () => {
    const broken = after(form, { type: 'show', view: 'raw' }, { type: 'write', raw: '{"to": ' });
    const stuck = after(broken, { type: 'show', view: 'form' });
    expect(stuck).toMatchObject({ view: 'raw', raw: '{"to": ', blocked: true });
    const mended = after(stuck, { type: 'write', raw: '{"to": 1}' });
    expect(mended).toMatchObject({ blocked: false, value: { to: 1 } });
    expect(after(mended, { type: 'show', view: 'form' }).view).toBe('form');
  });

  it('stays in the form while a field means nothing', () => {
    const broken = after(form, { type: 'unread', id: 'f', problem });
    const stuck = after(broken, { type: 'show', view: 'raw' });
    expect(stuck).toMatchObject({ view: 'form', blocked: true });
    expect(after(stuck, { type: 'unread', id: 'f', problem })).toBe(stuck);
    const mended = after(stuck, { type: 'unread', id: 'f', problem: null });
    expect(mended).toMatchObject({ blocked: false, view: 'form' });
    expect(after(mended, { type: 'show', view: 'raw' }).view).toBe('raw');
  });

  it('goes on as text, for good, when the form cannot be drawn', () => {
    const failed = after(form, { type: 'form_failed' });
    expect(failed).toMatchObject({ view: 'raw', formFailed: true, value });
  });

  it('forgets chosen branches when items have moved, not when a value is set', () => {
    const chosen = after(form, { type: 'choose', pointer: '/a/0', variant: 1 });
    const set: EditorAction = { type: 'edit', edit: { type: 'set', path: ['count'], value: 2 } };
    expect(after(chosen, set).chosen.size).toBe(1);
    const out: EditorAction = { type: 'edit', edit: { type: 'leave_out', path: ['count'] } };
    expect(after(chosen, out).chosen.size).toBe(0);
  });

  it('keeps the field pinned that the person writes in, until they have left', () => {
    const pinned = after(form, { type: 'pin', pointer: '/to' });
    expect(pinned.pinned).toBe('/to');
    expect(after(pinned, { type: 'edit', edit: { type: 'set', path: ['to'], value: 1 } }).pinned).toBe('/to');
    expect(after(pinned, { type: 'edit', edit: { type: 'leave_out', path: ['to'] } }).pinned).toBeNull();
    expect(after(pinned, { type: 'pin', pointer: null }).pinned).toBeNull();
    expect(after(pinned, { type: 'show', view: 'raw' }).pinned).toBeNull();
  });
});
