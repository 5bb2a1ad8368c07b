import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelRequest } from '../testing/model-server-wire-table';
import { anthropicForm } from './anthropic-request';
import { chatForm } from './chat-request';
import type { ModelMessage, ModelRequest } from './port';
import { endpointOf } from './provider-config';
import { createWireRequests, type WireRequests } from './wire-request';

const anthropic = endpointOf({ id: 'anthropic', kind: 'anthropic', base_url: 'http://a/v1', key: 'k' });
const compatible = endpointOf({ id: 'e', kind: 'openai-compatible', base_url: 'http://a/v1', key: 'k' });

const wires: readonly (readonly [string, () => WireRequests])[] = [
  ['anthropic', () => createWireRequests(anthropic, anthropicForm(anthropic))],
  [
    'chat',
    () =>
      createWireRequests(
        compatible,
        chatForm(compatible, () => false),
      ),
  ],
];

function sent(requests: WireRequests, more: Partial<ModelRequest>, sees = false): string {
  return Buffer.concat(requests.body(modelRequest(more), sees).parts).toString('utf8');
}

/** The second mark depends on the request before; the provider leaves all of them out of its comparison. */
function unmarked(body: string): string {
  return body.replaceAll(',"cache_control":{"type":"ephemeral"}', '');
}

/** Messages of one step whose texts count how often they are read. */
function step(index: number, count: { reads: number }): ModelMessage[] {
  const call = {
    call_id: `c${index}`,
    name: 'files__move_file',
    arguments_text: `{"from":"${index}","to":"b"}`,
  };
  const counted = (message: ModelMessage): ModelMessage => {
    const { text } = message;
    return Object.defineProperty({ ...message }, 'text', {
      enumerable: true,
      get: () => {
        count.reads += 1;
        return text;
      },
    });
  };
  return [
    counted({ role: 'assistant', text: `Step ${index}: “ü”.`, calls: [call] }),
    counted({
      role: 'tool',
      call_id: call.call_id,
      name: call.name,
      text: `moved ${index}`,
      is_error: false,
    }),
  ];
}

describe.each(wires)('requests over the %s wire', (_wire, create) => {
  it('serialise each message once in 2,000 steps, and send the bytes of a full serialisation', () => {
    const requests = create();
    const count = { reads: 0 };
    const messages: ModelMessage[] = [{ role: 'user', text: 'Go.', files: [] }];
    let perStep = 0;
    for (let index = 1; index <= 2_000; index += 1) {
      messages.push(...step(index, count));
      const before = count.reads;
      requests.body(
        modelRequest({ messages: [...messages], transient: { text: `Now ${index}.`, image: null } }),
        false,
      );
      if (index === 1) perStep = count.reads;
      expect(count.reads - before).toBe(perStep);
      if (index % 500 === 0 || index < 4) {
        const after = count.reads;
        expect(unmarked(sent(requests, { messages }))).toBe(unmarked(sent(create(), { messages })));
        // Only the fresh provider read them again.
        expect(count.reads - after).toBe(perStep * index);
      }
    }
  });

  it('never change the bytes of a request that was given out before', () => {
    const requests = create();
    const messages: ModelMessage[] = [{ role: 'user', text: 'Go.', files: [] }];
    const given: { parts: readonly Uint8Array[]; text: string }[] = [];
    for (let index = 1; index <= 300; index += 1) {
      messages.push(...step(index, { reads: 0 }));
      const { parts } = requests.body(modelRequest({ messages: [...messages] }), false);
      given.push({ parts, text: Buffer.concat(parts).toString('utf8') });
    }
    for (const { parts, text } of given) expect(Buffer.concat(parts).toString('utf8')).toBe(text);
  });

  it('are the same whatever was sent before: branches, summaries, late results, other sessions', () => {
    const texts = fc.constantFrom('', ' ', 'one', 'two "q" \\', 'ü😀\n', '\ud800 alone');
    const ids = fc.constantFrom('c1', 'c2', 'c3');
    const png = { name: 'a.png', media_type: 'image/png', data: new Uint8Array([1, 2, 3]) };
    const message: fc.Arbitrary<ModelMessage> = fc.oneof(
      fc.record({ role: fc.constant('user' as const), text: texts, files: fc.constantFrom([], [png]) }),
      fc.record({
        role: fc.constant('assistant' as const),
        text: texts,
        calls: fc.uniqueArray(
          fc.record({
            call_id: ids,
            name: fc.constantFrom('a', 'b'.repeat(70), 'with space'),
            arguments_text: fc.constantFrom('{}', '{"a": 1}', '{"broken', '[1]'),
          }),
          { maxLength: 3, selector: (call) => call.call_id },
        ),
      }),
      fc.record({
        role: fc.constant('tool' as const),
        call_id: ids,
        name: fc.constant('a'),
        text: texts,
        is_error: fc.boolean(),
      }),
    );
    const history = fc.array(message, { minLength: 1, maxLength: 12 });
    const cuts = fc.array(
      fc.record({
        from: fc.nat(12),
        to: fc.nat(12),
        session_id: fc.constantFrom('s1', 's2'),
        sees: fc.boolean(),
        once: fc.boolean(),
      }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(history, cuts, (messages, steps) => {
        const requests = create();
        for (const { from, to, session_id, sees, once } of steps) {
          const transient = { text: once ? 'Now.' : '', image: once ? png : null };
          const more = { session_id, messages: messages.slice(from, from + to), transient };
          const body = sent(requests, more, sees);
          expect(unmarked(body)).toBe(unmarked(sent(create(), more, sees)));
          JSON.parse(body);
        }
      }),
    );
  });

  it('have the same bytes in front, however far the conversation goes on', () => {
    const requests = create();
    const messages: ModelMessage[] = [{ role: 'user', text: 'Go.', files: [] }];
    let before = '';
    for (let index = 1; index <= 50; index += 1) {
      messages.push(...step(index, { reads: 0 }), { role: 'user', text: 'And?', files: [] });
      const body = unmarked(sent(requests, { messages: [...messages] })).replace(/["\]}]+$/, '');
      expect(body.startsWith(before)).toBe(true);
      before = body;
    }
  });
});
