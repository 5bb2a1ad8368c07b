import type { CallResult } from '../protocol';
import type { ToolOutput } from '../tools';

/**
 * The recorded form of a tool's output: JSON and a text form for the model (S0-31, S0-33). Pixels never enter it
 * (S1-73); an image is spoken of in words.
 */
export function normaliseOutput(output: ToolOutput): CallResult {
  const words: string[] = [];
  if (output.text !== undefined) words.push(output.text);
  else if (output.structured !== undefined) words.push(JSON.stringify(output.structured));
  if (output.image) {
    words.push(
      `[The tool returned an image (${output.image.media_type}, ${output.image.data.byteLength} bytes). Images are not passed on.]`,
    );
  }
  const text = words.join('\n');
  return output.structured === undefined ? { text } : { text, structured: output.structured };
}
