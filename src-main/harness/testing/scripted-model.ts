import type { ModelPart, ModelProvider, ModelRequest } from '../model';
import type { ModelFacts } from '../protocol';

/** One scripted answer: parts in order, `hang` to wait for the abort, or a function of the request. */
export type ScriptedAnswer =
  readonly (ModelPart | 'hang')[] | ((request: ModelRequest) => readonly (ModelPart | 'hang')[]);

const usage = { input_tokens: 10, output_tokens: 5 };

export function says(text: string): ModelPart[] {
  return [
    { type: 'text', text },
    { type: 'finished', reason: 'stop', usage },
  ];
}

export function calls(
  ...proposed: readonly (readonly [id: string, name: string, args: unknown])[]
): ModelPart[] {
  return [
    ...proposed.map(([call_id, name, args]): ModelPart => ({
      type: 'call',
      call: { call_id, name, arguments_text: typeof args === 'string' ? args : JSON.stringify(args) },
    })),
    { type: 'finished', reason: 'tool-calls', usage },
  ];
}

export function fails(code: string, retryable: boolean, text = ''): ModelPart[] {
  const failed: ModelPart = {
    type: 'failed',
    error: { code, message: `scripted ${code}`, retryable, retry_after_ms: 1 },
  };
  return text === '' ? [failed] : [{ type: 'text', text }, failed];
}

/** The same model, of which more is known. */
export function knownModel<Model extends ModelProvider>(
  model: Model,
  facts: Partial<ModelFacts>,
  seesImages = false,
): Model {
  const known = { name: 'script', label: 'Script', sees_images: seesImages, ...facts };
  return { ...model, seesImages: () => seesImages, facts: () => known };
}

/** A strict script of a model: an answer that nobody asked for, or a request that it has no answer for, is a defect. */
export function scriptedModel(
  ...answers: ScriptedAnswer[]
): ModelProvider & { readonly requests: ModelRequest[]; rest(): number } {
  const requests: ModelRequest[] = [];
  return {
    requests,
    rest: () => answers.length,
    seesImages: () => false,
    facts: () => null,
    listModels: () =>
      Promise.resolve({ ok: true, value: [{ name: 'script', label: 'Script', sees_images: false }] }),
    async *stream(request, signal) {
      requests.push({ ...request, messages: [...request.messages] });
      const answer = answers.shift();
      if (!answer) throw new Error(`The script has no answer for request ${requests.length}.`);
      for (const part of typeof answer === 'function' ? answer(request) : answer) {
        await Promise.resolve();
        if (part !== 'hang') {
          yield part;
          continue;
        }
        await new Promise<void>((resolve) => {
          if (signal.aborted) resolve();
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
        yield { type: 'failed', error: { code: 'cancelled', message: 'cancelled', retryable: false } };
        return;
      }
    },
  };
}
