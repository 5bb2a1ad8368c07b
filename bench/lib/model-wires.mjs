import { callId, closingText, echoMessage } from './script.mjs';

/** Streamed arguments come in pieces, as from a real model. */
const pieceLength = 80;
const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

function pieces(text) {
  return Array.from({ length: Math.ceil(text.length / pieceLength) }, (_, at) =>
    text.slice(at * pieceLength, (at + 1) * pieceLength),
  );
}

/** The calls of a round; none after the last one. */
function callsOf({ id, rounds, parallel }, round) {
  if (round > rounds) return [];
  return Array.from({ length: parallel }, (_, index) => ({
    id: callId(id, round, index),
    arguments: JSON.stringify({ message: echoMessage(round, index) }),
  }));
}

/** OpenAI Chat Completions. */
const chat = {
  stream(conversation, round) {
    const calls = callsOf(conversation, round);
    const head = {
      id: `chatcmpl-${conversation.id}-${round}`,
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model: 'bench-1',
    };
    const line = (fields) => `data: ${JSON.stringify({ ...head, ...fields })}\n\n`;
    const delta = (value, finish_reason = null) =>
      line({ choices: [{ index: 0, delta: value, finish_reason }] });
    const out = [delta({ role: 'assistant', content: calls.length === 0 ? '' : null })];
    if (calls.length === 0) out.push(delta({ content: closingText(conversation.rounds) }));
    calls.forEach((call, index) => {
      const opening = { name: conversation.tool, arguments: '' };
      out.push(delta({ tool_calls: [{ index, id: call.id, type: 'function', function: opening }] }));
      for (const piece of pieces(call.arguments)) {
        out.push(delta({ tool_calls: [{ index, function: { arguments: piece } }] }));
      }
    });
    out.push(delta({}, calls.length === 0 ? 'stop' : 'tool_calls'));
    out.push(line({ choices: [], usage }), 'data: [DONE]\n\n');
    return out;
  },
  /** Results in a request: call id and what the tool said. */
  results(request) {
    return request.messages
      .filter((message) => message.role === 'tool')
      .map((message) => ({ id: message.tool_call_id, content: JSON.stringify(message.content) }));
  },
};

/** Anthropic Messages. */
const messages = {
  stream(conversation, round) {
    const calls = callsOf(conversation, round);
    const event = (fields) => `event: ${fields.type}\ndata: ${JSON.stringify(fields)}\n\n`;
    const message = {
      id: `msg_${conversation.id}_${round}`,
      type: 'message',
      role: 'assistant',
      model: 'bench-1',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 100, output_tokens: 1 },
    };
    const out = [event({ type: 'message_start', message })];
    const block = (index, content_block, deltas) => {
      out.push(event({ type: 'content_block_start', index, content_block }));
      for (const delta of deltas) out.push(event({ type: 'content_block_delta', index, delta }));
      out.push(event({ type: 'content_block_stop', index }));
    };
    if (calls.length === 0) {
      const text = closingText(conversation.rounds);
      block(0, { type: 'text', text: '' }, [{ type: 'text_delta', text }]);
    }
    calls.forEach((call, index) => {
      const deltas = pieces(call.arguments).map((partial_json) => ({
        type: 'input_json_delta',
        partial_json,
      }));
      block(index, { type: 'tool_use', id: call.id, name: conversation.tool, input: {} }, deltas);
    });
    const stop_reason = calls.length === 0 ? 'end_turn' : 'tool_use';
    out.push(
      event({
        type: 'message_delta',
        delta: { stop_reason, stop_sequence: null },
        usage: { output_tokens: 20 },
      }),
      event({ type: 'message_stop' }),
    );
    return out;
  },
  results(request) {
    const blocks = request.messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
    return blocks
      .filter((part) => part.type === 'tool_result')
      .map((part) => ({ id: part.tool_use_id, content: JSON.stringify(part.content) }));
  },
};

/** By the last part of a request's path. */
export const wires = { 'chat/completions': chat, messages };

/** The name under which the agent offers the echo tool, whatever it puts in front of it. */
export function echoToolOf(request) {
  const names = (request.tools ?? []).map((tool) => tool.function?.name ?? tool.name);
  return names.find((name) => /(^|[_.-])echo$/.test(name)) ?? null;
}
