import type { JsonObject } from '../protocol';
import { ToolError, type NativeTool, type ToolContext, type ToolOutput } from '../tools/tool';
import { pathRefused, resolveExisting, resolveNew, showPath } from '../workspace';
import { moveEntry } from './move-entry';
import { cancelledError, openSessionFolder, textArgument, toToolError } from './session-folder';

/** Reports at most this many steps of a long copy, well below the bound of a call (S0-74). */
const progressSteps = 20;

function stepReporter(context: ToolContext, text: string): (fraction: number) => void {
  let reported = 0;
  return (fraction) => {
    const step = Math.floor(fraction * progressSteps);
    if (step <= reported) return;
    reported = step;
    context.progress({ message: text, fraction });
  };
}

async function call(context: ToolContext, args: JsonObject): Promise<ToolOutput | ToolError> {
  const from = textArgument(args, 'source');
  if (from instanceof ToolError) return from;
  const to = textArgument(args, 'destination');
  if (to instanceof ToolError) return to;
  const workspace = await openSessionFolder(context);
  if (workspace instanceof ToolError) return workspace;
  const source = await resolveExisting(workspace, from, { kind: 'any', links: 'refuse', change: true });
  if (!source.ok) return toToolError(source.error);
  if (source.value.segments.length === 0) {
    return toToolError(
      pathRefused(from, "is the session's folder itself", 'Move the files and folders inside it.'),
    );
  }
  const destination = await resolveNew(workspace, to);
  if (!destination.ok) return toToolError(destination.error);
  if (context.signal.aborted) return cancelledError('nothing was moved');
  const moved = await moveEntry({
    workspace,
    source: source.value,
    destination: destination.value,
    signal: context.signal,
    progress: stepReporter(context, `Copying ${showPath(source.value.path)}`),
  });
  if (!moved.ok) return toToolError(moved.error);
  return {
    structured: { moved: { from: source.value.path, to: destination.value.path } },
    text: `Moved "${showPath(source.value.path)}" to "${showPath(destination.value.path)}".`,
  };
}

export const moveTool: NativeTool = {
  descriptor: () => ({
    qualified_name: 'files.move_file',
    title: 'Move or rename a file or folder',
    description:
      "Moves or renames one file or folder inside the session's folder and creates missing destination folders. " +
      'Give the whole new path, including the new name. Never overwrites; links and protected files such as .git ' +
      'are refused.',
    input_schema: {
      type: 'object',
      properties: {
        source: {
          type: 'string',
          description:
            'The file or folder to move, relative to the session\'s folder, parts separated by "/".',
        },
        destination: {
          type: 'string',
          description:
            'Its whole new path, relative to the session\'s folder, such as "invoices/2026/march.pdf".',
        },
      },
      required: ['source', 'destination'],
      additionalProperties: false,
    },
    version: '1.0.0',
  }),
  call,
};
