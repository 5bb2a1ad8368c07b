import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import { fail, ok, type Problem, type Result } from '../../protocol';
import { maxJsonDepth, textPlaces, tooDeepAt } from '../../validation';
import type { ServerConfig } from './server-config';
import { membersOf, readServer, type ReadContext } from './read-server';

/** What a servers.json holds. Servers with an error are left out of `servers` and named in `problems`. */
export interface ServersFile {
  readonly servers: readonly ServerConfig[];
  readonly problems: readonly Problem[];
}

const maxBytes = 1024 * 1024;

/**
 * Parses the text of a servers.json (S0-20, S0-21, C2, C3, C10). Comments and trailing commas are tolerated, unknown
 * keys are left alone, and every problem has its line. Nothing is started, resolved or looked up.
 * @param options.file how the person knows the file
 * @param options.folder absolute folder that relative paths start from
 */
export function parseServersFile(text: string, options: { file: string; folder: string }): ServersFile {
  const problems: Problem[] = [];
  const source = text.replace(/^\uFEFF/, '');
  const placeAt = textPlaces(source);
  const context: ReadContext = {
    folder: options.folder,
    report(offset, message, severity = 'error') {
      const at = placeAt(offset);
      problems.push({
        code: 'servers_invalid',
        message: `${options.file}, line ${at.line}, column ${at.column}: ${message}`,
        file: options.file,
        line: at.line,
        severity,
      });
    },
  };
  if (source.trim() === '') {
    context.report(0, 'The file is empty. Write {"version":1,"servers":{}}.');
    return { servers: [], problems };
  }
  const deep = tooDeepAt(source);
  if (deep !== -1) {
    context.report(deep, `It is nested deeper than ${maxJsonDepth} levels here. Take levels out.`);
    return { servers: [], problems };
  }
  const errors: ParseError[] = [];
  const root = parseTree(source, errors, { allowTrailingComma: true, disallowComments: false });
  for (const error of errors.slice(0, 5)) {
    context.report(error.offset, `It is not JSON: ${jsonFault(error.error)}. Correct it there.`);
  }
  if (errors.length > 0) return { servers: [], problems };
  if (!root) return { servers: [], problems };
  return { servers: readRoot(root, context), problems };
}

/** Reads and parses a servers.json. Failure `servers_invalid` when it cannot be read at all. */
export async function readServersFile(file: string): Promise<Result<ServersFile>> {
  const absolute = path.resolve(file);
  let bytes: Buffer;
  try {
    bytes = await readFile(absolute);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    return fail('servers_invalid', `${file} cannot be read (${code}). Check the path and its permissions.`);
  }
  if (bytes.length > maxBytes) {
    return fail(
      'servers_invalid',
      `${file} has ${bytes.length} bytes; at most ${maxBytes} are allowed. Shorten it.`,
    );
  }
  return ok(parseServersFile(bytes.toString('utf8'), { file, folder: path.dirname(absolute) }));
}

function readRoot(root: Node, context: ReadContext): ServerConfig[] {
  if (root.type !== 'object') {
    context.report(root.offset, 'The file must hold an object: {"version":1,"servers":{}}.');
    return [];
  }
  const members = membersOf(root, context);
  const version = members.get('version');
  if (!version || version.value !== 1) {
    context.report((version ?? root).offset, 'The "version" must be 1. Write "version": 1.');
  }
  const servers = members.get('servers');
  if (!servers || servers.type !== 'object') {
    const hint = members.has('mcpServers') ? ' "mcpServers" is another program\'s spelling.' : '';
    context.report(
      (servers ?? root).offset,
      `"servers" must be an object with one member for each server.${hint}`,
    );
    return [];
  }
  const found: ServerConfig[] = [];
  for (const [name, node] of membersOf(servers, context)) {
    const config = readServer(name, node, context);
    if (config) found.push(config);
  }
  return found;
}

/** `CloseBraceExpected` as `close brace expected`. */
function jsonFault(code: ParseError['error']): string {
  return printParseErrorCode(code)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
}
