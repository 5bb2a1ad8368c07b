import { ok, type Result } from '../protocol';
import type { NativeTool, RegistrationOptions } from '../tools/tool';
import { listTool } from './list-tool';
import { moveTool } from './move-tool';
import { readTool } from './read-tool';

/** The part of the registry that registration needs. */
export interface FilesToolsRegistry {
  registerNative(tool: NativeTool, options?: RegistrationOptions): Result<null>;
}

/** Registers `files.list`, `files.read` and `files.move_file` (S0-15). Stops at the first refusal. */
export function registerFilesTools(registry: FilesToolsRegistry): Result<null> {
  const tools = [
    [listTool, { classification: 'read' }],
    [readTool, { classification: 'read' }],
    [moveTool, { classification: 'write' }],
  ] as const;
  for (const [tool, options] of tools) {
    const registered = registry.registerNative(tool, options);
    if (!registered.ok) return registered;
  }
  return ok(null);
}
