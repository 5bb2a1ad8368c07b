import { proposal } from './chat-client.mjs';

/**
 * The least that an agent can do: ask, run the calls of the response side by side after an approval, go on until a
 * response has none. `request.push` takes a message, `request.bytes` gives the body; `record` keeps calls and results: the
 * `start` of a call, the end of `one` call, the ends of a `batch`.
 */
export async function floorLoop({ model, server, request, record }) {
  let approvals = 0;
  let toolCalls = 0;
  const approve = () => {
    approvals += 1;
    return true;
  };
  request.push({ role: 'user', content: 'go' });
  for (;;) {
    const { text, calls } = await model.post(request.bytes());
    if (calls.length === 0) return { approvals, toolCalls, finalText: text };
    request.push(proposal(calls));
    const results = await Promise.all(
      calls.map(async (call) => {
        if (!approve(call)) throw new Error(`${call.id} was denied.`);
        record.start?.({ call });
        const { content } = await server.call(call.name, JSON.parse(call.arguments));
        toolCalls += 1;
        record.one?.({ call, result: content });
        return { call, result: content };
      }),
    );
    record.batch?.(results);
    for (const { call, result } of results) {
      request.push({ role: 'tool', tool_call_id: call.id, content: result[0].text });
    }
  }
}
