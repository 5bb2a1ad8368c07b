import type { JsonObject } from './json';

/**
 * Every expected failure that the product can report, by the area it comes from. The code is stable and meant for
 * programs; the message is meant for a person and names object, place and remedy.
 */
export const failureCodes = [
  // input from files and the person
  'invalid_input',
  'not_found',
  'bundle_invalid',
  'servers_invalid',
  'workspace_unavailable',
  'attachment_refused',
  'data_folder_in_use',
  'journal_unavailable',
  'journal_full',
  'session_busy',
  'stale_answer',
  'identity_changed',
  // names and registry (S0-43..S0-54)
  'name_invalid',
  'name_reserved',
  'name_too_long',
  'name_duplicate',
  'namespace_conflict',
  'alias_collision',
  'tool_missing',
  'registry_frozen',
  // servers
  'server_unavailable',
  'server_failed',
  'secret_missing',
  // models
  'model_unauthorized',
  'model_rate_limited',
  'model_overloaded',
  'model_refused_request',
  'model_unreachable',
  'model_stream_cut',
  'model_unknown',
  'context_overflow',
  'call_id_reused',
  // calls
  'arguments_malformed',
  'arguments_invalid',
  'schema_unusable',
  'tool_unknown',
  'tool_failed',
  'tool_threw',
  'tool_timed_out',
  'result_too_large',
  'denied',
  'expired',
  'denied_by_policy',
  'guardrail_blocked',
  'withheld_gone',
  'image_refused',
  'path_refused',
  'cancelled',
  'interrupted',
  'outcome_unknown',
  'limit_reached',
  'internal',
] as const;

export type FailureCode = (typeof failureCodes)[number];

/**
 * An expected failure. `code` is from the table, or a tool's own code where the failure is a tool's answer;
 * `data` never holds a secret or a stack trace.
 */
export interface Failure {
  readonly code: FailureCode | (string & {});
  readonly message: string;
  readonly data?: JsonObject;
}

export type Result<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Failure };

export function ok<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function failure(code: Failure['code'], message: string, data?: JsonObject): Failure {
  return data === undefined ? { code, message } : { code, message, data };
}

export function fail(
  code: Failure['code'],
  message: string,
  data?: JsonObject,
): { ok: false; error: Failure } {
  return { ok: false, error: failure(code, message, data) };
}
