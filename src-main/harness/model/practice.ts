import { randomUUID } from 'node:crypto';
import { fail, ok, type JsonObject, type Result } from '../protocol';
import { cancelled } from './model-failure';
import type { ModelPart, ModelProvider } from './port';

/** What the person does in the model's place. */
export type PracticeAct =
  | { readonly type: 'call'; /** Model alias. */ readonly name: string; readonly arguments: JsonObject }
  | { readonly type: 'reply'; readonly text: string };

export interface PracticeModel {
  readonly provider: ModelProvider;
  /** Answers the waiting request of the turn; `not_found` where none waits. */
  act(session_id: string, turn_id: string, act: PracticeAct): Result<null>;
}

function partsOf(act: PracticeAct): readonly ModelPart[] {
  const usage = { input_tokens: null, output_tokens: null };
  if (act.type === 'reply') {
    return [
      { type: 'text', text: act.text },
      { type: 'finished', reason: 'stop', usage },
    ];
  }
  const call = {
    call_id: `practice_${randomUUID()}`,
    name: act.name,
    arguments_text: JSON.stringify(act.arguments),
  };
  return [
    { type: 'call', call },
    { type: 'finished', reason: 'tool-calls', usage },
  ];
}

/**
 * A model without AI: each request waits until the person chooses what "the model" does. Any number of sessions wait
 * at once; a later request of the same turn takes the place of an earlier one, which ends as cancelled.
 */
export function createPracticeModel(): PracticeModel {
  const waiting = new Map<string, (act: PracticeAct | null) => void>();
  const keyOf = (session_id: string, turn_id: string) => JSON.stringify([session_id, turn_id]);

  const waitForAct = (key: string, signal: AbortSignal): Promise<PracticeAct | null> =>
    new Promise((resolve) => {
      const settle = (act: PracticeAct | null) => {
        if (waiting.get(key) === settle) waiting.delete(key);
        signal.removeEventListener('abort', onAbort);
        resolve(act);
      };
      const onAbort = () => settle(null);
      if (signal.aborted) {
        resolve(null);
        return;
      }
      waiting.get(key)?.(null);
      waiting.set(key, settle);
      signal.addEventListener('abort', onAbort, { once: true });
    });

  const provider: ModelProvider = {
    seesImages: () => false,
    facts: () => null,
    async *stream(request, signal): AsyncGenerator<ModelPart, void, undefined> {
      const act = await waitForAct(keyOf(request.session_id, request.turn_id), signal);
      if (act === null) yield { type: 'failed', error: cancelled() };
      else yield* partsOf(act);
    },
    listModels: () =>
      Promise.resolve(
        ok([{ name: 'practice', label: 'Practice (you play the model, no AI)', sees_images: false }]),
      ),
  };
  return {
    provider,
    act(session_id, turn_id, act) {
      const settle = waiting.get(keyOf(session_id, turn_id));
      if (!settle) {
        return fail(
          'not_found',
          'The practice model does not wait for you in this conversation now. Send a message first.',
          { session_id, turn_id },
        );
      }
      settle(act);
      return ok(null);
    },
  };
}
