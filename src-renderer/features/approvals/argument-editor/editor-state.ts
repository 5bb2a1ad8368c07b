import type { JsonObject } from '../../../../src-preload/contract';
import { applyEdit, sameJson, type Edit } from './edit-value';
import { readArguments, writeJson, type RawProblem } from './raw-json';

/** One thing that keeps a draft from being sent as it is. */
export interface DraftProblem {
  /** JSON pointer into the arguments; the arguments themselves as the empty text. */
  readonly path: string;
  readonly message: string;
}

export type EditorView = 'form' | 'raw';

export interface EditorState {
  readonly view: EditorView;
  /** The last value that could be read; in the text view, what the text means if it can be read. */
  readonly value: JsonObject;
  readonly raw: string;
  readonly rawProblem: RawProblem | null;
  /** Fields whose text means nothing, by field. */
  readonly unread: ReadonlyMap<string, DraftProblem>;
  /** Branches of the schema that the person chose to see, by pointer. */
  readonly chosen: ReadonlyMap<string, number>;
  /** The field that stays one for JSON while the person writes in it. */
  readonly pinned: string | null;
  /** The form could not be drawn, and is not tried again. */
  readonly formFailed: boolean;
  /** The person wanted the other view, and what stands here cannot be carried over. */
  readonly blocked: boolean;
}

export type EditorAction =
  | { readonly type: 'edit'; readonly edit: Edit }
  | { readonly type: 'write'; readonly raw: string }
  | { readonly type: 'show'; readonly view: EditorView }
  | { readonly type: 'unread'; readonly id: string; readonly problem: DraftProblem | null }
  | { readonly type: 'choose'; readonly pointer: string; readonly variant: number }
  | { readonly type: 'pin'; readonly pointer: string | null }
  | { readonly type: 'form_failed' };

export function openEditor(value: JsonObject, view: EditorView): EditorState {
  const nothing = {
    unread: new Map(),
    chosen: new Map(),
    rawProblem: null,
    blocked: false,
    pinned: null,
    formFailed: false,
  };
  return { view, value, raw: writeJson(value), ...nothing };
}

function toRaw(state: EditorState): EditorState {
  const reading = readArguments(state.raw);
  const stillMeansIt = reading.ok && sameJson(reading.value, state.value);
  const raw = stillMeansIt ? state.raw : writeJson(state.value);
  return { ...state, view: 'raw', raw, rawProblem: null, unread: new Map(), blocked: false, pinned: null };
}

function show(state: EditorState, view: EditorView): EditorState {
  if (view === state.view) return state;
  if (view === 'raw') return state.unread.size > 0 ? { ...state, blocked: true } : toRaw(state);
  return state.rawProblem ? { ...state, blocked: true } : { ...state, view: 'form', blocked: false };
}

function write(state: EditorState, raw: string): EditorState {
  const reading = readArguments(raw);
  if (!reading.ok) return { ...state, view: 'raw', raw, rawProblem: reading.problem };
  return { ...state, view: 'raw', raw, rawProblem: null, value: reading.value, blocked: false };
}

function noteUnread(state: EditorState, id: string, problem: DraftProblem | null): EditorState {
  const known = state.unread.get(id);
  if (known?.path === problem?.path && known?.message === problem?.message) return state;
  const unread = new Map(state.unread);
  if (problem) unread.set(id, problem);
  else unread.delete(id);
  return { ...state, unread, blocked: state.blocked && unread.size > 0 };
}

/** What is known of places means nothing after something came, went or moved. */
function edited(state: EditorState, edit: Edit): EditorState {
  const value = applyEdit(state.value, edit);
  if (value === state.value) return state;
  return edit.type === 'set' ? { ...state, value } : { ...state, value, chosen: new Map(), pinned: null };
}

export function reduceEditor(state: EditorState, action: EditorAction): EditorState {
  switch (action.type) {
    case 'edit':
      return edited(state, action.edit);
    case 'write':
      return write(state, action.raw);
    case 'show':
      return show(state, action.view);
    case 'unread':
      return noteUnread(state, action.id, action.problem);
    case 'choose':
      return { ...state, chosen: new Map(state.chosen).set(action.pointer, action.variant) };
    case 'pin':
      return { ...state, pinned: action.pointer };
    case 'form_failed':
      return { ...toRaw(state), formFailed: true };
  }
}
