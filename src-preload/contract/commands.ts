import { Type, type Static } from '@sinclair/typebox';
import type {
  CoworkerCard,
  Failure,
  GrantEntry,
  IdentityPart,
  ImageReference,
  Problem,
  ProviderStatus,
  RequestReading,
  Result,
  ScopePreview,
  ServerStatus,
  ServerTool,
  SessionSummary,
  ToolDefinition,
} from '../../src-main/harness/protocol';
import {
  digest,
  id,
  instant,
  jsonObject,
  lastingScope,
  line,
  maxAttachmentBytes,
  none,
  object,
  pattern,
  text,
} from './payload-parts';
import { sessionCommandSchemas } from './session-commands';

/**
 * Every command of the window: it changes something and answers only whether it was taken (and the ids it made). What
 * came of it arrives as pushes. Main checks each payload against its schema before anything else looks at it.
 */
export const commandSchemas = {
  ...sessionCommandSchemas,
  'approval.answer': object({
    session_id: id,
    approval_id: id,
    /** What the person saw; an answer to anything else is refused as stale. */
    shown: object({ arguments_digest: digest, pin: digest }),
    answer: Type.Union([
      object({
        type: Type.Literal('allow'),
        scope: Type.Union([Type.Literal('once'), lastingScope]),
        pattern: Type.Optional(pattern),
        /** When a lasting permission ends by itself, ISO 8601; null: it does not. */
        expires_at: Type.Optional(Type.Union([instant, Type.Null()])),
        /** The arguments as the person edited them; checked once more before they run. */
        arguments: Type.Optional(jsonObject),
      }),
      object({ type: Type.Literal('deny'), note: line }),
    ]),
  }),
  'grant.revoke': object({ grant_id: id }),
  /** The person lets start what they were shown, known by its digest. */
  'server.accept': object({ name: line, digest }),
  /** Ends and starts the server; answers once its tools were listed, or why they could not be. */
  'server.restart': object({ name: line }),
  /** The person's word on tools of servers, each for exactly this definition; null takes it back. */
  'server.classify': object({
    tools: Type.Array(
      object({
        qualified_name: line,
        pin: digest,
        classification: Type.Union([
          Type.Literal('read'),
          Type.Literal('write'),
          Type.Literal('exec'),
          Type.Literal('external'),
          Type.Null(),
        ]),
      }),
      { minItems: 1, maxItems: 2_000 },
    ),
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
  /** Takes a file of a recorded message into the draft once more. */
  'attachment.restore': object({
    session_id: id,
    digest,
    name: Type.String({ minLength: 1, maxLength: 255 }),
  }),
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
      /** Minutes after which a request that nobody answers is closed; null: never. */
      Type.Literal('approval_expiry_minutes'),
      Type.Literal('notify_requests'),
      Type.Literal('notify_turn_end'),
      /** Minutes between reminders of a request that waits; 0: none. */
      Type.Literal('notify_repeat_minutes'),
    ]),
    value: Type.Unknown(),
  }),
  'servers.reveal_file': none,
  /** The person goes on without entries of the journal that are missing; refused where its file is damaged. */
  'journal.accept_loss': none,
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
  readonly 'session.edit': { readonly turn_id: string };
  readonly 'session.regenerate': { readonly turn_id: string };
  readonly 'session.retry': { readonly turn_id: string };
  /** Null where the message was sent at once. */
  readonly 'session.queue': { readonly queued_id: string | null };
  readonly 'session.send_queued': { readonly turn_id: string };
  /** The turn that runs the call again; null for the other answers. */
  readonly 'session.settle': { readonly turn_id: string | null };
  readonly 'session.continue_as_new': { readonly session_id: string };
  readonly 'provider.add': { readonly provider_id: string };
  readonly 'attachment.add': AttachmentAdded;
  readonly 'attachment.restore': AttachmentAdded;
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
  /** What is wrong with the journal; with an error nothing is recorded. */
  'journal.problems': none,
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
  'attachment.read': object({ session_id: id, digest }),
  /** Whether the session may go on in this app as it is now; reads bundle and catalogs, so it takes a while. */
  'session.standing': object({ session_id: id }),
  /** The latest image of the session while it lives, pixels included, for display only. */
  'session.image': object({ session_id: id }),
  /** Remembered permissions over all sessions, the newest first; those that have ended too. */
  'grants.list': none,
  /** What a wider scope for a waiting request would have covered among the calls on record. */
  'approval.preview': object({ session_id: id, approval_id: id, scope: lastingScope, pattern }),
  /** What the arguments of a waiting request come to: a command as it is read, a file as it would change. */
  'approval.reading': object({ session_id: id, approval_id: id }),
  /** Everything that a server offers now; asks it. */
  'server.tools': object({ name: line }),
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
  readonly approval_expiry_minutes: number | null;
  readonly notify_requests: boolean;
  readonly notify_turn_end: boolean;
  readonly notify_repeat_minutes: number;
}

/** `changed`: readable, and goes on only as a new session that carries the visible history over (S0-58). */
export type SessionStanding =
  | { readonly type: 'current' }
  | { readonly type: 'changed'; readonly parts: readonly IdentityPart[]; readonly reason: string };

export interface SessionImage {
  readonly reference: ImageReference;
  readonly qualified_name: string;
  readonly turn_id: string;
  readonly call_id: string;
  /** Milliseconds until it is forgotten. */
  readonly remaining_ms: number;
  readonly base64: string;
}

export interface QueryAnswers {
  readonly 'app.info': AppInfo;
  readonly 'coworkers.list': readonly CoworkerCard[];
  readonly 'providers.list': readonly ProviderStatus[];
  readonly 'servers.list': readonly ServerStatus[];
  readonly 'servers.problems': readonly Problem[];
  readonly 'journal.problems': readonly Problem[];
  readonly 'sessions.list': readonly SessionSummary[];
  readonly 'settings.get': Settings;
  readonly 'session.tools': readonly ToolDefinition[];
  readonly 'workspace.files': readonly string[];
  readonly 'attachment.read': { readonly media_type: string; readonly base64: string };
  readonly 'session.standing': SessionStanding;
  readonly 'session.image': SessionImage | null;
  readonly 'grants.list': readonly GrantEntry[];
  readonly 'approval.preview': ScopePreview;
  readonly 'approval.reading': RequestReading;
  readonly 'server.tools': readonly ServerTool[];
}

export type CommandName = keyof typeof commandSchemas;
export type QueryName = keyof typeof querySchemas;
export type CommandPayload<N extends CommandName> = Static<(typeof commandSchemas)[N]>;
export type QueryPayload<N extends QueryName> = Static<(typeof querySchemas)[N]>;
export type CommandAnswer<N extends CommandName> = N extends keyof CommandAnswers ? CommandAnswers[N] : null;
export type CommandResult<N extends CommandName> = Result<CommandAnswer<N>>;
export type QueryResult<N extends QueryName> = Result<QueryAnswers[N]>;
