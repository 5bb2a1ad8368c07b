import type { ScriptedAnswer, ScriptedCall, ServedWire } from './model-server-script';

type Events = readonly string[];

function event(data: unknown, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}

function argumentsText(call: ScriptedCall): string {
  return call.raw ?? JSON.stringify(call.arguments ?? {});
}

/** Up to three pieces, so that every client has to put arguments together. */
function pieces(text: string): readonly string[] {
  if (text.length < 3) return text === '' ? [] : [text];
  const third = Math.ceil(text.length / 3);
  return [text.slice(0, third), text.slice(third, 2 * third), text.slice(2 * third)].filter((p) => p !== '');
}

/** Row by row or in turn: the first of each, the second of each, and so on. */
function arrange(rows: readonly Events[], interleave: boolean): Events {
  if (!interleave) return rows.flat();
  const longest = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: longest }, (_, index) =>
    rows.flatMap((row) => (row[index] === undefined ? [] : [row[index]])),
  ).flat();
}

function anthropicBlock(index: number, start: unknown, deltas: readonly unknown[]): Events {
  return [
    event({ type: 'content_block_start', index, content_block: start }, 'content_block_start'),
    ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta }, 'content_block_delta')),
    event({ type: 'content_block_stop', index }, 'content_block_stop'),
  ];
}

function anthropicBlocks(answer: ScriptedAnswer): readonly Events[] {
  const blocks: Events[] = [];
  if (answer.reasoning) {
    const { text, signature } = answer.reasoning;
    const deltas = [
      { type: 'thinking_delta', thinking: text },
      ...(signature === undefined ? [] : [{ type: 'signature_delta', signature }]),
    ];
    blocks.push(anthropicBlock(blocks.length, { type: 'thinking', thinking: '', signature: '' }, deltas));
  }
  if (answer.text) {
    const deltas = answer.text.map((text) => ({ type: 'text_delta', text }));
    blocks.push(anthropicBlock(blocks.length, { type: 'text', text: '' }, deltas));
  }
  return blocks;
}

function anthropicEvents(answer: ScriptedAnswer, model: string): Events {
  const usage = answer.usage ?? { input: 11, output: 7 };
  const blocks = anthropicBlocks(answer);
  const calls = (answer.calls ?? []).map((call, order) =>
    anthropicBlock(
      blocks.length + order,
      { type: 'tool_use', id: call.id, name: call.name, input: {} },
      pieces(call.raw === undefined && call.arguments === undefined ? '' : argumentsText(call)).map(
        (partial_json) => ({ type: 'input_json_delta', partial_json }),
      ),
    ),
  );
  const stop_reason = answer.out_of_room ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn';
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model, content: [], stop_reason: null };
  // This wire counts what came from the cache apart.
  const input = {
    input_tokens: usage.input - (usage.cached ?? 0),
    ...(usage.cached === undefined ? {} : { cache_read_input_tokens: usage.cached }),
  };
  const start = { ...message, stop_sequence: null, usage: { ...input, output_tokens: 1 } };
  const end = [
    event(
      {
        type: 'message_delta',
        delta: { stop_reason, stop_sequence: null },
        usage: {
          output_tokens: usage.output,
          ...(usage.reasoning === undefined
            ? {}
            : { output_tokens_details: { thinking_tokens: usage.reasoning } }),
        },
      },
      'message_delta',
    ),
    event({ type: 'message_stop' }, 'message_stop'),
  ];
  return [
    event({ type: 'message_start', message: start }, 'message_start'),
    event({ type: 'ping' }, 'ping'),
    ...blocks.flat(),
    ...arrange(calls, answer.interleave ?? false),
    ...(answer.error_event ? [event({ type: 'error', error: answer.error_event }, 'error')] : []),
    ...(answer.without_end || answer.error_event ? [] : end),
  ];
}

function chatEvents(answer: ScriptedAnswer, model: string): Events {
  const usage = answer.usage ?? { input: 11, output: 7 };
  const chunk = (delta: unknown, finish_reason: string | null = null) =>
    event({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      model,
      choices: [{ index: 0, delta, finish_reason }],
    });
  const calls = (answer.calls ?? []).map((call, index) => [
    chunk({
      tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }],
    }),
    ...pieces(call.raw === undefined && call.arguments === undefined ? '' : argumentsText(call)).map((text) =>
      chunk({ tool_calls: [{ index, function: { arguments: text } }] }),
    ),
  ]);
  const reason = answer.out_of_room ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop';
  const tokens = {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    ...(usage.cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: usage.cached } }),
    ...(usage.reasoning === undefined
      ? {}
      : { completion_tokens_details: { reasoning_tokens: usage.reasoning } }),
  };
  const end = [
    chunk({}, reason),
    event({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      model,
      choices: [],
      usage: tokens,
    }),
    'data: [DONE]\n\n',
  ];
  return [
    chunk({ role: 'assistant', content: '' }),
    ...(answer.reasoning ? [chunk({ reasoning_content: answer.reasoning.text })] : []),
    ...(answer.text ?? []).map((content) => chunk({ content })),
    ...arrange(calls, answer.interleave ?? false),
    ...(answer.error_event
      ? [event({ error: { ...answer.error_event, code: answer.error_event.type } })]
      : []),
    ...(answer.without_end || answer.error_event ? [] : end),
  ];
}

function responsesItem(
  output_index: number,
  added: object,
  between: readonly object[],
  done: object,
): Events {
  return [
    event({ type: 'response.output_item.added', output_index, item: added }),
    ...between.map((data) => event({ output_index, ...data })),
    event({ type: 'response.output_item.done', output_index, item: done }),
  ];
}

function responsesItems(answer: ScriptedAnswer): readonly Events[] {
  const items: Events[] = [];
  if (answer.reasoning) {
    const { text, signature = null } = answer.reasoning;
    const item = { type: 'reasoning', id: 'rs_1', encrypted_content: signature };
    const place = { item_id: 'rs_1', summary_index: 0 };
    items.push(
      responsesItem(
        items.length,
        { ...item, summary: [] },
        [
          { type: 'response.reasoning_summary_part.added', ...place },
          { type: 'response.reasoning_summary_text.delta', ...place, delta: text },
          { type: 'response.reasoning_summary_part.done', ...place },
        ],
        { ...item, summary: [{ type: 'summary_text', text }] },
      ),
    );
  }
  if (answer.text) {
    const item = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' };
    const content = [{ type: 'output_text', text: answer.text.join(''), annotations: [], logprobs: [] }];
    items.push(
      responsesItem(
        items.length,
        { ...item, content: [] },
        answer.text.map((delta) => ({
          type: 'response.output_text.delta',
          item_id: 'msg_1',
          content_index: 0,
          delta,
        })),
        { ...item, content },
      ),
    );
  }
  return items;
}

function responsesEvents(answer: ScriptedAnswer, model: string): Events {
  const usage = answer.usage ?? { input: 11, output: 7 };
  const items = responsesItems(answer);
  const calls = (answer.calls ?? []).map((call, order) => {
    const item = { type: 'function_call', id: `fc_${order}`, call_id: call.id, name: call.name };
    const text = call.raw === undefined && call.arguments === undefined ? '' : argumentsText(call);
    return responsesItem(
      items.length + order,
      { ...item, arguments: '', status: 'in_progress' },
      pieces(text).map((delta) => ({
        type: 'response.function_call_arguments.delta',
        item_id: item.id,
        delta,
      })),
      { ...item, arguments: text, status: 'completed' },
    );
  });
  const response = { id: 'resp_1', object: 'response', created_at: 1, model };
  const final = {
    ...response,
    incomplete_details: answer.out_of_room ? { reason: 'max_output_tokens' } : null,
    usage: {
      input_tokens: usage.input,
      output_tokens: usage.output,
      ...(usage.cached === undefined ? {} : { input_tokens_details: { cached_tokens: usage.cached } }),
      ...(usage.reasoning === undefined
        ? {}
        : { output_tokens_details: { reasoning_tokens: usage.reasoning } }),
    },
  };
  const type = answer.out_of_room ? 'response.incomplete' : 'response.completed';
  const error = answer.error_event;
  return [
    event({ type: 'response.created', response }),
    ...items.flat(),
    ...arrange(calls, answer.interleave ?? false),
    ...(error ? [event({ type: 'error', sequence_number: 9, error: { ...error, code: error.type } })] : []),
    ...(answer.without_end || error ? [] : [event({ type, response: final })]),
  ];
}

function googleEvents(answer: ScriptedAnswer, model: string): Events {
  const usage = answer.usage ?? { input: 11, output: 7 };
  const chunk = (parts: readonly unknown[], more: object = {}) =>
    event({ candidates: [{ index: 0, content: { role: 'model', parts }, ...more }], modelVersion: model });
  const calls = (answer.calls ?? []).map((call) => {
    const text = argumentsText(call);
    const start = `{"id":${JSON.stringify(call.id)},"name":${JSON.stringify(call.name)}`;
    // Arguments are JSON inside the event's JSON: raw text goes in as it is, and may break the event.
    const functionCall = `${start},"args":${text}}`;
    const signed =
      call.signature === undefined ? '' : `,"thoughtSignature":${JSON.stringify(call.signature)}`;
    return `data: {"candidates":[{"index":0,"content":{"role":"model","parts":[{"functionCall":${functionCall}${signed}}]}}]}\n\n`;
  });
  const usageMetadata = {
    promptTokenCount: usage.input,
    candidatesTokenCount: usage.output - (usage.reasoning ?? 0),
    ...(usage.cached === undefined ? {} : { cachedContentTokenCount: usage.cached }),
    ...(usage.reasoning === undefined ? {} : { thoughtsTokenCount: usage.reasoning }),
  };
  const error = answer.error_event;
  return [
    ...(answer.reasoning ? [chunk([{ text: answer.reasoning.text, thought: true }])] : []),
    ...(answer.text ?? []).map((text) => chunk([{ text }])),
    ...calls,
    ...(error ? [event({ error: { code: 500, status: error.type, message: error.message } })] : []),
    ...(answer.without_end || error
      ? []
      : [
          event({
            candidates: [
              {
                index: 0,
                content: { role: 'model', parts: [{ text: '' }] },
                finishReason: answer.out_of_room ? 'MAX_TOKENS' : 'STOP',
              },
            ],
            usageMetadata,
          }),
        ]),
  ];
}

/** The events of an answer on a wire, in order. */
export function eventsOf(wire: Exclude<ServedWire, 'models'>, answer: ScriptedAnswer, model: string): Events {
  switch (wire) {
    case 'anthropic':
      return anthropicEvents(answer, model);
    case 'chat':
      return chatEvents(answer, model);
    case 'responses':
      return responsesEvents(answer, model);
    case 'google':
      return googleEvents(answer, model);
  }
}
