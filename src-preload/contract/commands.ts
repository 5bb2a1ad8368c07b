import { Type, type Static, type TSchema } from '@sinclair/typebox';
import type {
  CoworkerCard,
  Failure,
  Problem,
  ProviderStatus,
  Result,
  ServerStatus,
  SessionSummary,
  ToolDefinition,
} from '../../src-main/harness/protocol';

/** Longest text that a window may send in one field, in UTF-16 units. */
export const maxTextLength = 200_000;
/** Largest attached file, in bytes. */
export const maxAttachmentBytes = 5 * 1024 * 1024;
export const maxAttachments = 10;

const object = <T extends Record<string, TSchema>>(properties: T) =>
  Type.Object(properties, { additionalProperties: false });
const id = Type.String({ minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9_.:-]+$' });
const text = Type.String({ maxLength: maxTextLength });
const line = Type.String({ maxLength: 4000 });
const mode = Type.Union([Type.Literal('ask'), Type.Literal('read_only'), Type.Literal('bypass')]);
const model = object({ provider: id, name: Type.String({ minLength: 1, maxLength: 300 }) });
const jsonObject = Type.Record(Type.String(), Type.Unknown());
const none = object({});

/**
 * Every command of the window: it changes something and answers only whether it was taken (and the ids it made). What
 * came of it arrives as pushes. Main checks each payload against its schema before anything else looks at it.
 */
export const commandSchemas = {
  'session.create': object({
    coworker_id: id,
    model,
    mode,
    /** A folder that `workspace.pick` answered or an earlier session used; others are refused. */
    workspace: Type.Union([line, Type.Null()]),
  }),
  'session.submit': object({
    session_id: id,
    text,
    /** Ids that `attachment.add` or `attachment.pick` answered. */
    attachments: Type.Array(id, { maxItems: maxAttachments }),
    mentions: Type.Array(line, { maxItems: 50 }),
  }),
  'session.stop': object({ session_id: id }),
  'session.rename': object({ session_id: id, title: Type.String({ minLength: 1, maxLength: 200 }) }),
  'session.archive': object({ session_id: id, archived: Type.Boolean() }),
  'session.delete': object({ session_id: id }),
  'session.set_model': object({ session_id: id, model }),
  'session.set_mode': object({ session_id: id, mode }),
  /** Pushes every event after `after_seq`, then each new one, until `session.unsubscribe`. */
  'session.subscribe': object({ session_id: id, after_seq: Type.Integer({ minimum: 0 }) }),
  'session.unsubscribe': object({ session_id: id }),
  'approval.answer': object({
    session_id: id,
    approval_id: id,
    /** Digest of the arguments that the person saw; an answer to anything else is refused as stale. */
    arguments_digest: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    answer: Type.Union([
      object({
        type: Type.Literal('allow'),
        scope: Type.Union([Type.Literal('once'), Type.Literal('session')]),
      }),
      object({ type: Type.Literal('deny'), note: line }),
    ]),
  }),
  /** The person plays the model: calls one of the tools, or answers and so ends the turn. */
  'practice.act': object({
    session_id: id,
    turn_id: id,
    act: Type.Union([
      object({ type: Type.Literal('call'), name: line, arguments: jsonObject }),
      object({ type: Type.Literal('reply'), text }),
    ]),
  }),
  /** `key` undefined leaves the key as it is; an empty string removes it. The key is checked at the endpoint first. */
  'provider.configure': object({
    provider_id: id,
    base_url: Type.Optional(Type.Union([line, Type.Null()])),
    key: Type.Optional(Type.String({ maxLength: 4000 })),
  }),
  /** Adds an OpenAI-compatible endpoint. */
  'provider.add': object({
    label: Type.String({ minLength: 1, maxLength: 60 }),
    base_url: line,
    key: Type.Optional(Type.String({ maxLength: 4000 })),
  }),
  'provider.remove': object({ provider_id: id }),
  'provider.refresh': object({ provider_id: Type.Optional(id) }),
  'attachment.add': object({
    name: Type.String({ minLength: 1, maxLength: 255 }),
    media_type: Type.String({ maxLength: 100 }),
    base64: Type.String({ maxLength: Math.ceil((maxAttachmentBytes * 4) / 3) + 4 }),
  }),
  /** Opens the system's file dialog. */
  'attachment.pick': none,
  /** Opens the system's folder dialog; `path` is null when the person cancelled. */
  'workspace.pick': none,
  /** Asks the person, with the host in sight, before the system's browser opens. */
  'link.open': object({ url: line }),
  'clipboard.write': object({ text }),
  'setting.set': object({
    key: Type.Union([
      Type.Literal('theme'),
      Type.Literal('language'),
      Type.Literal('default_model'),
      Type.Literal('layout'),
      Type.Literal('onboarded'),
      Type.Literal('last_session'),
    ]),
    value: Type.Unknown(),
  }),
  'servers.reveal_file': none,
} as const;

export interface AttachmentAdded {
  readonly attachment_id: string;
  readonly name: string;
  readonly media_type: string;
  readonly bytes: number;
}

/** What a taken command answers: ids and the person's choice in a dialog, never state. */
export interface CommandAnswers {
  readonly 'session.create': { readonly session_id: string };
  readonly 'session.submit': { readonly turn_id: string };
  readonly 'provider.add': { readonly provider_id: string };
  readonly 'attachment.add': AttachmentAdded;
  /** Files that cannot be attached are named one by one; the others are there all the same. */
  readonly 'attachment.pick': {
    readonly attachments: readonly AttachmentAdded[];
    readonly refused: readonly Failure[];
  };
  readonly 'workspace.pick': { readonly path: string | null };
}

/** Every question of the window: it reads and changes nothing. */
export const querySchemas = {
  'app.info': none,
  'coworkers.list': none,
  'providers.list': none,
  'servers.list': none,
  /** What is wrong with servers.json itself, as it was read when the app started. */
  'servers.problems': none,
  'sessions.list': none,
  'settings.get': none,
  /** Definitions of the tools that the session's latest turn fixed, or that its coworker would get now. */
  'session.tools': object({ session_id: id }),
  /**
   * Files for @-mention, relative paths with `/`, best match first: of the session's workspace, or, before there is a
   * session, of a folder that the person chose.
   */
  'workspace.files': object({
    session_id: Type.Union([id, Type.Null()]),
    workspace: Type.Union([line, Type.Null()]),
    query: line,
  }),
  /** A `blob:`-able copy of an attached image, for display. */
  'attachment.read': object({ session_id: id, digest: Type.String({ pattern: '^[0-9a-f]{64}$' }) }),
} as const;

export interface AppInfo {
  readonly version: string;
  readonly electron: string;
  readonly platform: 'win32' | 'darwin' | 'linux';
  readonly data_folder: string;
  /** `none`: keys are kept for this run only, and the window says so. */
  readonly keychain: 'system' | 'none';
  readonly keychain_backend: string;
}

export interface Settings {
  readonly theme: 'system' | 'light' | 'dark';
  readonly language: string;
  readonly default_model: { readonly provider: string; readonly name: string } | null;
  /** Widths and collapsed columns, as the window wrote them. */
  readonly layout: unknown;
  readonly onboarded: boolean;
  /** The session that was open last, or null. */
  readonly last_session: string | null;
}

export interface QueryAnswers {
  readonly 'app.info': AppInfo;
  readonly 'coworkers.list': readonly CoworkerCard[];
  readonly 'providers.list': readonly ProviderStatus[];
  readonly 'servers.list': readonly ServerStatus[];
  readonly 'servers.problems': readonly Problem[];
  readonly 'sessions.list': readonly SessionSummary[];
  readonly 'settings.get': Settings;
  readonly 'session.tools': readonly ToolDefinition[];
  readonly 'workspace.files': readonly string[];
  readonly 'attachment.read': { readonly media_type: string; readonly base64: string };
}

export type CommandName = keyof typeof commandSchemas;
export type QueryName = keyof typeof querySchemas;
export type CommandPayload<N extends CommandName> = Static<(typeof commandSchemas)[N]>;
export type QueryPayload<N extends QueryName> = Static<(typeof querySchemas)[N]>;
export type CommandAnswer<N extends CommandName> = N extends keyof CommandAnswers ? CommandAnswers[N] : null;
export type CommandResult<N extends CommandName> = Result<CommandAnswer<N>>;
export type QueryResult<N extends QueryName> = Result<QueryAnswers[N]>;
