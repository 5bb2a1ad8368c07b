import { failure, type JsonObject } from '../protocol';
import { ownTool } from './own-tool';
import {
  ToolError,
  type NativeTool,
  type RegistrationOptions,
  type Tool,
  type ToolContext,
  type ToolEnd,
} from './tool';

function isAbort(error: unknown, signal: AbortSignal): boolean {
  return (
    signal.aborted && (error === signal.reason || (error instanceof Error && error.name === 'AbortError'))
  );
}

function endOfThrow(error: unknown, name: string, signal: AbortSignal): ToolEnd {
  if (error instanceof ToolError) {
    return { type: 'error', error: failure(error.code, error.message, error.data) };
  }
  if (isAbort(error, signal)) {
    return {
      type: 'unknown',
      error: failure('cancelled', `${name} was cancelled after it had begun; it may have had an effect.`),
    };
  }
  return {
    type: 'unknown',
    error: failure(
      'tool_threw',
      `${name} broke off with an unexpected error, so nobody knows what it did. Check, then settle the call.`,
    ),
  };
}

/** Presents a native tool to the call boundary (S0-28, S0-61..S0-67, S0-78, S0-80). */
export function presentNativeTool(native: NativeTool, options: RegistrationOptions): Tool {
  const descriptor = native.descriptor();
  return {
    ...ownTool('native', descriptor, native, options),
    async run(context: ToolContext, args: JsonObject): Promise<ToolEnd> {
      try {
        const result = await native.call(context, args);
        if (result instanceof ToolError) {
          return { type: 'error', error: failure(result.code, result.message, result.data) };
        }
        return { type: 'output', output: result };
      } catch (error) {
        return endOfThrow(error, descriptor.qualified_name, context.signal);
      }
    },
  };
}
