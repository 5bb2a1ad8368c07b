import { isJsonObject } from '../protocol';

/**
 * Watches the raw chunks of the Chat Completions wire. The package gives a repeated call id a new one and drops
 * argument pieces that it cannot place; both would hide from the call boundary what the model really sent.
 */
export interface ChatCallWatch {
  see(chunk: unknown): void;
  /** A call id that two calls of this response share. */
  repeatedId(): string | null;
  /** UTF-16 units of argument text that came in, over all calls. */
  argumentLength(): number;
}

export function createChatCallWatch(): ChatCallWatch {
  const indexOfId = new Map<string, number>();
  let repeated: string | null = null;
  let length = 0;
  return {
    see(chunk) {
      const choices = isJsonObject(chunk) ? chunk.choices : undefined;
      const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
      const delta = isJsonObject(choice) ? choice.delta : undefined;
      const calls = isJsonObject(delta) ? delta.tool_calls : undefined;
      for (const call of Array.isArray(calls) ? calls : []) {
        if (!isJsonObject(call)) continue;
        if (isJsonObject(call.function) && typeof call.function.arguments === 'string') {
          length += call.function.arguments.length;
        }
        if (typeof call.id !== 'string' || call.id === '' || typeof call.index !== 'number') continue;
        const known = indexOfId.get(call.id);
        if (known !== undefined && known !== call.index) repeated = call.id;
        indexOfId.set(call.id, call.index);
      }
    },
    repeatedId: () => repeated,
    argumentLength: () => length,
  };
}
