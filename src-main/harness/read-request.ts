import { resolve } from 'node:path';
import type { CommandDesk } from './command-desk';
import { patchChanges, writeChange } from './file-changes';
import {
  failure,
  ok,
  type ApprovalRequested,
  type Json,
  type JsonObject,
  type RequestReading,
  type Result,
} from './protocol';
import { realPath } from './session';
import { recordedSchema } from './tools';
import { suggestPatterns } from './suggest-patterns';
import { openWorkspace, type Workspace } from './workspace';

/** A request with what is on record around it. */
export interface RequestOnRecord {
  readonly request: ApprovalRequested;
  /** Absolute real path of the session's folder, or null. */
  readonly workspace: string | null;
  /** The definition under the request's pin, or null. */
  readonly definition: Json | null;
}

type Shape = RequestReading['shape'];

const plain: Shape = { type: 'plain' };

function commandShape(commands: CommandDesk, args: JsonObject, workspace: string | null): Shape {
  const reading = commands.reading(args);
  if (!reading) return plain;
  const { cwd } = args;
  const usable = typeof cwd === 'string' && cwd !== '' && !cwd.includes('\0');
  const folder = usable && workspace !== null ? resolve(workspace, cwd) : usable ? cwd : workspace;
  return { type: 'command', reading, folder };
}

async function openedWorkspace(folder: string | null): Promise<Workspace | null> {
  const opened = folder === null ? null : await openWorkspace(folder);
  return opened?.ok ? opened.value : null;
}

async function shapeOf(
  commands: CommandDesk,
  { request, workspace }: RequestOnRecord,
  args: JsonObject,
): Promise<Shape> {
  const { path, content, patch } = args;
  switch (request.presentation) {
    case 'command':
      return commandShape(commands, args, workspace);
    case 'write': {
      if (typeof path !== 'string' || typeof content !== 'string') return plain;
      return {
        type: 'files',
        changes: [await writeChange(await openedWorkspace(workspace), path, content)],
      };
    }
    case 'patch': {
      if (typeof patch !== 'string') return plain;
      const named = typeof path === 'string' ? path : null;
      const changes = await patchChanges(await openedWorkspace(workspace), patch, named);
      return changes ? { type: 'files', changes } : plain;
    }
    default:
      return plain;
  }
}

/**
 * What the arguments of a request come to now: the files that would change, the command that would run, and ways to
 * narrow a permission. Reads in the workspace only, a bounded amount, and changes nothing. Never throws.
 */
export async function readRequest(
  commands: CommandDesk,
  onRecord: RequestOnRecord,
): Promise<Result<RequestReading>> {
  const { request, workspace, definition } = onRecord;
  const { arguments: args, presentation } = request;
  const schema = recordedSchema(definition);
  // What is withheld is shown to nobody, so nothing is worked out of it either.
  if (args === null) return ok({ shape: plain, suggestions: [], schema });
  try {
    const shape = await shapeOf(commands, onRecord, args);
    const suggestions = suggestPatterns({
      presentation,
      subject: { arguments: args, workspace, realPath, command: commands.facts({ presentation }, args) },
      prefix: shape.type === 'command' ? commands.prefix(shape.reading) : null,
    });
    return ok({ shape, suggestions, schema });
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const words = `The request of ${request.qualified_name ?? request.name} could not be worked out (${detail}). Its arguments are shown as they are.`;
    return { ok: false, error: failure('internal', words) };
  }
}
