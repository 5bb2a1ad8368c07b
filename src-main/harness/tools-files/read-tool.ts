import type { FileHandle } from 'node:fs/promises';
import type { JsonObject } from '../protocol';
import { ToolError, type NativeTool, type ToolContext, type ToolOutput } from '../tools/tool';
import { fsFailure, openFile, resolveExisting, showPath, type ResolvedPath } from '../workspace';
import { readLines, type LinesRead } from './read-lines';
import {
  cancelledError,
  integerArgument,
  openSessionFolder,
  sizeText,
  textArgument,
  toToolError,
} from './session-folder';

const maxLines = 10_000;
const defaultLines = 2_000;
/** The text of one answer, counted as JSON text (C5). */
const maxTextBytes = 200 * 1024;
/** Lines further into a file than this are not looked for. */
const maxScanBytes = 64 * 1024 * 1024;
const maxOffset = 1_000_000_000;

interface Range {
  readonly offset: number;
  readonly limit: number;
}

function outputOf(path: string, size: number, range: Range, read: LinesRead): ToolOutput {
  const last = range.offset + read.lines - 1;
  const next = read.cut && !read.part ? last + 1 : read.part && read.lines > 1 ? last : null;
  const note = ((): string | null => {
    if (read.part && read.lines === 1) {
      return `Cut: line ${range.offset} is longer than one answer can hold; its rest cannot be read.`;
    }
    if (next !== null)
      return `Cut: lines ${range.offset} to ${next - 1} are above. Go on with offset ${next}.`;
    if (read.lines === 0) return size === 0 ? 'The file is empty.' : `The file has no line ${range.offset}.`;
    return null;
  })();
  // A last line that is only a part is left for the next answer.
  const partial = read.part && read.lines > 1;
  const text = partial ? read.text.slice(0, read.text.lastIndexOf('\n') + 1) : read.text;
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  return {
    structured: {
      path,
      size,
      encoding: read.encoding,
      bom: read.bom,
      offset: range.offset,
      lines: partial ? read.lines - 1 : read.lines,
      cut: read.cut,
      next_offset: next,
    },
    text: note === null ? text : `${text}${gap}[${note}]`,
  };
}

async function readOpened(
  handle: FileHandle,
  file: ResolvedPath,
  range: Range,
  signal: AbortSignal,
): Promise<ToolOutput | ToolError> {
  const { size } = await handle.stat();
  const limits = { ...range, max_bytes: maxTextBytes, max_scan: maxScanBytes };
  const read = await readLines(handle, limits, signal);
  switch (read.type) {
    case 'aborted':
      return cancelledError('nothing was changed');
    case 'binary':
      return new ToolError(
        'not_text',
        `"${showPath(file.path)}" (${sizeText(size)}) is not text in UTF-8 or UTF-16, so it cannot be read here. ` +
          'Work with its name, size and date, or ask the person what it holds.',
        { path: file.path, size },
      );
    case 'too_far':
      return new ToolError(
        'limit_reached',
        `Line ${range.offset} of "${showPath(file.path)}" (${sizeText(size)}) lies behind the first ` +
          `${sizeText(maxScanBytes)}, which is as far as this tool reads. Give a smaller offset.`,
        { path: file.path, size },
      );
    case 'lines':
      return outputOf(file.path, size, range, read);
  }
}

async function call(context: ToolContext, args: JsonObject): Promise<ToolOutput | ToolError> {
  const path = textArgument(args, 'path');
  if (path instanceof ToolError) return path;
  const offset = integerArgument(args, 'offset', { min: 1, max: maxOffset, fallback: 1 });
  if (offset instanceof ToolError) return offset;
  const limit = integerArgument(args, 'limit', { min: 1, max: maxLines, fallback: defaultLines });
  if (limit instanceof ToolError) return limit;
  const workspace = await openSessionFolder(context);
  if (workspace instanceof ToolError) return workspace;
  const file = await resolveExisting(workspace, path, { kind: 'file', links: 'inside' });
  if (!file.ok) return toToolError(file.error);
  const opened = await openFile(workspace, file.value);
  if (!opened.ok) return toToolError(opened.error);
  try {
    return await readOpened(opened.value, file.value, { offset, limit }, context.signal);
  } catch (error) {
    return toToolError(fsFailure(error, file.value.path));
  } finally {
    await opened.value.close();
  }
}

export const readTool: NativeTool = {
  descriptor: () => ({
    qualified_name: 'files.read',
    title: 'Read a text file',
    description:
      "Reads a text file (UTF-8 or UTF-16) inside the session's folder, by lines. Answers at most 200 KB; when it " +
      'is cut, a last line in square brackets names the offset to go on with. Binary files are refused.',
    input_schema: {
      type: 'object',
      properties: {
        path: {
          type: 'string',
          description: 'File, relative to the session\'s folder, parts separated by "/".',
        },
        offset: {
          type: 'integer',
          minimum: 1,
          maximum: maxOffset,
          description: 'First line to read, counted from 1. Default: 1.',
        },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: maxLines,
          description: 'Most lines to read. Default: 2,000.',
        },
      },
      required: ['path'],
      additionalProperties: false,
    },
    version: '1.0.0',
  }),
  call,
};
