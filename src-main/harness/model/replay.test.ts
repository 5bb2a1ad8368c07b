import { describe, expect, it } from 'vitest';
import { eachModelServer } from '../testing/each-model-server';
import type { ModelServer, ScriptedResponse } from '../testing/model-server';
import { collect, modelRequest, textOf, wireTable } from '../testing/model-server-wire-table';
import type { ModelCall, ModelPart, ModelProvider, ModelRequest } from './port';

const never = new AbortController().signal;
let server: ModelServer;

eachModelServer((started) => (server = started));

function ask(provider: ModelProvider, more: Partial<ModelRequest> = {}): Promise<ModelPart[]> {
  return collect(provider.stream(modelRequest(more), never));
}

function callsOf(parts: readonly ModelPart[]): ModelCall[] {
  return parts.flatMap((part) => (part.type === 'call' ? [part.call] : []));
}

const move = { id: 'call_a', name: 'files__move_file', arguments: { from: 'a.txt', to: 'b.txt' } };

describe('signed parts', () => {
  async function twoRounds(wire: string, answer: ScriptedResponse, model: string) {
    const { provider } = wireTable.find((row) => row.wire === wire)!;
    server.enqueue(answer, { answer: { text: ['Done.'] } });
    const first = await ask(provider(server), { model });
    const calls = callsOf(first);
    const message = {
      role: 'assistant' as const,
      text: textOf(first),
      calls,
      provider_parts: first.flatMap((part) => (part.type === 'provider_part' ? [part.part] : [])),
    };
    const messages = [
      ...modelRequest().messages,
      message,
      ...calls.map((call) => ({ role: 'tool' as const, ...call, text: 'moved', is_error: false })),
    ];
    return {
      first,
      messages: JSON.parse(JSON.stringify(messages)) as typeof messages,
      send: (more: Partial<ModelRequest>) => ask(provider(server), { model, messages, ...more }),
    };
  }

  it('sends Anthropic thinking back in its place with its signature', async () => {
    const answer = {
      answer: { reasoning: { text: 'I think.', signature: 'sig-1' }, text: ['Moving.'], calls: [move] },
    };
    const round = await twoRounds('anthropic', answer, 'claude-sonnet-4-5');
    expect(textOf(round.first, 'reasoning')).toBe('I think.');
    await round.send({ messages: round.messages });
    const messages = server.asked()[1]!.body!.messages as { content: unknown[] }[];
    expect(messages[1]!.content).toMatchObject([
      { type: 'thinking', thinking: 'I think.', signature: 'sig-1' },
      { type: 'text', text: 'Moving.' },
      { type: 'tool_use', id: 'call_a', input: move.arguments },
    ]);
  });

  it('keeps signed thinking in front where the text was changed since', async () => {
    const answer = { answer: { text: ['Moving.'], reasoning: { text: 'I think.', signature: 'sig-1' } } };
    const round = await twoRounds('anthropic', answer, 'claude-sonnet-4-5');
    const changed = round.messages.map((message) =>
      message.role === 'assistant' ? { ...message, text: 'Something shorter' } : message,
    );
    await round.send({ messages: [...changed, { role: 'user', text: 'Go on.', files: [] }] });
    const messages = server.asked()[1]!.body!.messages as { content: unknown[] }[];
    expect(messages[1]!.content).toMatchObject([
      { type: 'thinking', signature: 'sig-1' },
      { type: 'text', text: 'Something shorter' },
    ]);
  });

  it('sends a signature to no other model', async () => {
    const answer = { answer: { reasoning: { text: 'I think.', signature: 'sig-1' }, text: ['Hi.'] } };
    const round = await twoRounds('anthropic', answer, 'claude-sonnet-4-5');
    const more = { role: 'user' as const, text: 'Go on.', files: [] };
    await round.send({ model: 'claude-opus-4-6', messages: [...round.messages, more] });
    expect(JSON.stringify(server.asked()[1]!.body)).not.toContain('sig-1');
  });

  it('sends Google thought signatures back with their calls', async () => {
    const answer = { answer: { calls: [{ ...move, signature: 'thought-1' }] } };
    const round = await twoRounds('google', answer, 'gemini-3-pro');
    expect(callsOf(round.first)[0]!.provider_metadata).toMatchObject({
      wire: 'google',
      model: 'gemini-3-pro',
    });
    await round.send({ messages: round.messages });
    const contents = server.asked()[1]!.body!.contents as { parts: unknown[] }[];
    expect(contents[1]!.parts).toMatchObject([
      { functionCall: { id: 'call_a', args: move.arguments }, thoughtSignature: 'thought-1' },
    ]);
  });

  it('asks OpenAI to store nothing and sends encrypted reasoning back in front of its call', async () => {
    const answer = { answer: { reasoning: { text: 'I think.', signature: 'secret-1' }, calls: [move] } };
    const round = await twoRounds('responses', answer, 'gpt-5.2');
    await round.send({ messages: round.messages });
    const [first, second] = server.asked();
    expect(first!.body).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] });
    const input = second!.body!.input as { type?: string }[];
    expect(input.slice(2)).toMatchObject([
      { type: 'reasoning', encrypted_content: 'secret-1' },
      { type: 'function_call', call_id: 'call_a', arguments: JSON.stringify(move.arguments) },
      { type: 'function_call_output', call_id: 'call_a', output: 'moved' },
    ]);
  });
});
