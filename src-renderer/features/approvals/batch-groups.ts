import type { ApprovalRequested, Json, JsonObject, PendingApproval } from '../../../src-preload/contract';
import { countHidden } from '../../ui/mark-hidden';
import { movesOf } from '../../ui/tool-sentence';

/** Requests of one tool for one target. */
export interface BatchGroup {
  readonly key: string;
  readonly tool: string;
  /** A folder, host, recipient or program; null where the arguments name none. */
  readonly target: string | null;
  readonly pending: readonly PendingApproval[];
}

const text = (value: Json | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

function first(given: JsonObject, names: readonly string[]): string | null {
  for (const name of names) {
    const found = Object.hasOwn(given, name) ? text(given[name]) : null;
    if (found !== null) return found;
  }
  return null;
}

/** The folder of a path as it is written; empty for a bare name. */
function folderOf(path: string): string | null {
  const end = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return end <= 0 ? null : path.slice(0, end);
}

function hostOf(address: string | null): string | null {
  return address !== null && URL.canParse(address) ? new URL(address).host || null : null;
}

/** What a call is aimed at, as far as its arguments say it under a usual name. */
export function targetOf({ arguments: given, presentation }: ApprovalRequested): string | null {
  if (given === null) return null;
  const host = hostOf(first(given, ['url', 'uri', 'endpoint', 'href', 'address']));
  if (host !== null) return host;
  if (presentation === 'command') {
    return first(given, ['command', 'program', 'cmd'])?.trim().split(/\s/, 1)[0] ?? null;
  }
  const folders = new Set(movesOf(given)?.moves.map((move) => folderOf(move.to)) ?? []);
  if (folders.size > 0) return folders.size === 1 ? ([...folders][0] ?? null) : null;
  const recipient = first(given, ['to', 'channel', 'recipient']);
  if (recipient !== null) return recipient;
  const path = first(given, ['path', 'file', 'file_path', 'folder', 'directory']);
  return path === null ? null : folderOf(path);
}

/** Groups in the order in which their first request came. */
export function groupRequests(pending: readonly PendingApproval[]): readonly BatchGroup[] {
  const groups = new Map<string, { tool: string; target: string | null; pending: PendingApproval[] }>();
  for (const entry of pending) {
    const { data } = entry.request;
    const tool = data.qualified_name ?? data.name;
    const target = targetOf(data);
    const key = JSON.stringify([tool, target]);
    const group = groups.get(key) ?? { tool, target, pending: [] };
    group.pending.push(entry);
    groups.set(key, group);
  }
  return [...groups].map(([key, group]) => ({ key, ...group }));
}

/** Arguments of more than so many characters are not judged in a list. */
const longestInList = 700;

export type LookReason = 'long' | 'hidden' | 'changed' | 'uninspectable' | 'guardrail';

/** Why a call has to be opened before it can be allowed; null where the list shows all there is to judge. */
export function lookReason(request: ApprovalRequested): LookReason | null {
  if (request.reason === 'definition_changed') return 'changed';
  if (request.reason === 'uninspectable') return 'uninspectable';
  const names = [request.qualified_name ?? request.name, request.origin.server ?? ''];
  if (countHidden([request.arguments, names]) > 0) return 'hidden';
  const facts = request.guardrails ?? [];
  if (facts.some(({ action, findings }) => action !== 'passed' || findings.length > 0)) return 'guardrail';
  return JSON.stringify(request.arguments).length > longestInList ? 'long' : null;
}
