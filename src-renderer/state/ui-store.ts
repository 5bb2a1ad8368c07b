import { createStore } from 'zustand/vanilla';
import type {
  ArgumentPattern,
  AttachmentAdded,
  Effort,
  Failure,
  GrantScope,
  JsonObject,
  Mode,
  ModelChoice,
} from '../../src-preload/contract';
import { defaultLayout, type Layout } from './layout';

export type SettingsSection = 'models' | 'requests' | 'attention' | 'appearance' | 'about';

export type Page =
  | { readonly type: 'new' }
  | { readonly type: 'session'; readonly session_id: string }
  | { readonly type: 'coworker'; readonly coworker_id: string }
  | { readonly type: 'inbox' }
  | { readonly type: 'servers' }
  | { readonly type: 'server'; readonly name: string }
  | { readonly type: 'grants' }
  | { readonly type: 'settings'; readonly section: SettingsSection };

export interface DraftAttachment extends AttachmentAdded {
  /** An object URL for the thumbnail of an image that was dropped or pasted. */
  readonly preview: string | null;
}

export interface Draft {
  readonly text: string;
  readonly attachments: readonly DraftAttachment[];
  /** Workspace files chosen with @, relative paths. */
  readonly mentions: readonly string[];
}

export const emptyDraft: Draft = { text: '', attachments: [], mentions: [] };
/** The draft of the session that is not made yet. */
export const newDraftKey = 'new';

/** What the person has chosen for the next session; null where the app's default still holds. */
export interface NewSessionChoice {
  readonly coworker_id: string | null;
  readonly model: ModelChoice | null;
  readonly mode: Mode | null;
  /** Null is the model's own default. */
  readonly effort: Effort | null;
  readonly workspace: string | null;
}

/** What went wrong with one act of the person; an act with several files may fail for each of them. */
export interface Notice {
  readonly id: number;
  readonly errors: readonly Failure[];
}

/** A wish to show one row or one request; `nonce` tells a repeated wish from the former. */
export interface Reveal {
  readonly nonce: number;
  readonly target:
    | { readonly type: 'row'; readonly turn_id: string; readonly call_id: string }
    | { readonly type: 'approval'; readonly approval_id: string }
    | { readonly type: 'composer' };
}

export type AnswerState =
  { readonly status: 'sending' } | { readonly status: 'failed'; readonly error: Failure };

/** When a lasting permission ends by itself. */
export type GrantEnd = 'none' | 'day' | 'week' | 'month' | 'own';

/** What the person has set on a request that waits, without having answered it. */
export interface RequestDraft {
  /** Null: what is preselected. */
  readonly scope: GrantScope | null;
  /** What a lasting permission is narrowed to; null: what is preselected. */
  readonly pattern: ArgumentPattern | null;
  readonly end: GrantEnd;
  /** The day of `own`, as YYYY-MM-DD; empty while none is chosen. */
  readonly own_day: string;
  /** The pattern, as text, and the scope for which the person took note of a warning. */
  readonly accepted: string | null;
  /** Words for the model, sent with a denial; null while nobody asked for the field. */
  readonly note: string | null;
  readonly editing: boolean;
  /** The last arguments that the editor could read; null before it has said any. */
  readonly edited: JsonObject | null;
  /** Whether what stands in the editor now can be read and fits. */
  readonly fits: boolean;
}

export const emptyRequestDraft: RequestDraft = {
  scope: null,
  pattern: null,
  end: 'none',
  own_day: '',
  accepted: null,
  note: null,
  editing: false,
  edited: null,
  fits: false,
};

export interface UiState {
  readonly page: Page;
  readonly drafts: Readonly<Record<string, Draft>>;
  readonly newSession: NewSessionChoice;
  readonly notices: readonly Notice[];
  readonly dialog: 'none' | 'shortcuts';
  readonly find: { readonly open: boolean; readonly nonce: number };
  readonly layout: Layout;
  /** Columns that lie over the middle in a narrow window. */
  readonly drawer: 'none' | 'left' | 'right';
  readonly reveal: Reveal | null;
  readonly answers: Readonly<Record<string, AnswerState>>;
  /** By approval id. */
  readonly requests: Readonly<Record<string, RequestDraft>>;
  /** Folders that were chosen in this window, the latest first. */
  readonly folders: readonly string[];
}

export const initialUiState: UiState = {
  page: { type: 'new' },
  drafts: {},
  newSession: { coworker_id: null, model: null, mode: null, effort: null, workspace: null },
  notices: [],
  dialog: 'none',
  find: { open: false, nonce: 0 },
  layout: defaultLayout,
  drawer: 'none',
  reveal: null,
  answers: {},
  requests: {},
  folders: [],
};

export const createUiStore = () => createStore<UiState>()(() => initialUiState);
export type UiStore = ReturnType<typeof createUiStore>;
