import { type Failure, type JsonObject } from '../protocol';
import { ToolError, type ToolContext } from '../tools/tool';
import { openWorkspace, type Workspace } from '../workspace';

/** A failure as the tool's own answer. */
export function toToolError(error: Failure): ToolError {
  return new ToolError(error.code, error.message, error.data);
}

/** Turns a file operation's plain failure values into the answer of a call; `effect` says what had happened. */
export function cancelledError(effect: string): ToolError {
  return new ToolError('cancelled', `The call was cancelled; ${effect}.`);
}

/** The session's folder as it is now. The call's path is the one that was chosen, never a link that replaced it. */
export async function openSessionFolder(context: ToolContext): Promise<Workspace | ToolError> {
  if (context.workspace === null) {
    return new ToolError(
      'workspace_unavailable',
      'This session has no folder. Ask the person to choose a folder for the session, then try again.',
    );
  }
  const workspace = await openWorkspace(context.workspace);
  if (!workspace.ok) return toToolError(workspace.error);
  if (workspace.value.root !== context.workspace) {
    return new ToolError(
      'workspace_unavailable',
      "The session's folder was replaced by a link. Ask the person to choose the folder again.",
    );
  }
  return workspace.value;
}

/** A text argument, or its default. The schema has checked it already; this keeps direct callers honest. */
export function textArgument(args: JsonObject, name: string, fallback?: string): string | ToolError {
  const value = args[name] ?? fallback;
  if (typeof value === 'string') return value;
  return new ToolError('arguments_invalid', `Argument "${name}" must be text. Give a relative path.`);
}

export function integerArgument(
  args: JsonObject,
  name: string,
  range: { readonly min: number; readonly max: number; readonly fallback: number },
): number | ToolError {
  const value = args[name] ?? range.fallback;
  if (typeof value === 'number' && Number.isInteger(value) && value >= range.min && value <= range.max) {
    return value;
  }
  return new ToolError(
    'arguments_invalid',
    `Argument "${name}" must be a whole number from ${range.min} to ${range.max}.`,
  );
}

/** Bytes of a value's JSON text, which is what limits count (C5). */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** A size as people read it. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ['KB', 'MB', 'GB', 'TB', 'PB'];
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value.toFixed(1)} ${units[unit]}`;
}
