import type { RecordedRequest, SentResult, ServedWire } from './model-server-script';

type Body = Record<string, unknown>;
type View = Pick<RecordedRequest, 'model' | 'system' | 'user_texts' | 'tool_names' | 'results'>;

function list(value: unknown): readonly Body[] {
  return Array.isArray(value) ? (value as Body[]) : [];
}

/** All text of a content in any form: a string, or parts with text. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return list(content)
    .map((part) => (typeof part.text === 'string' ? part.text : ''))
    .join('');
}

function names(tools: unknown): readonly string[] {
  return list(tools).map((tool) => {
    const inner = (tool.function ?? tool) as Body;
    return String(inner.name);
  });
}

function anthropicView(body: Body): View {
  const messages = list(body.messages);
  const users = messages.filter((message) => message.role === 'user');
  const calls = messages.flatMap((m) => list(m.content)).filter((part) => part.type === 'tool_use');
  const results = users.flatMap((m) => list(m.content)).filter((part) => part.type === 'tool_result');
  return {
    model: String(body.model),
    system: textOf(body.system),
    user_texts: users.map((m) => textOf(m.content)).filter((text) => text !== ''),
    tool_names: names(body.tools),
    results: results.map((part) => ({
      id: String(part.tool_use_id),
      name: (calls.find((call) => call.id === part.tool_use_id)?.name as string | undefined) ?? null,
      text: textOf(part.content),
      is_error: part.is_error === true,
    })),
  };
}

function chatView(body: Body): View {
  const messages = list(body.messages);
  const calls = messages.flatMap((m) => list(m.tool_calls));
  const nameOf = (id: unknown) => (calls.find((call) => call.id === id)?.function as Body | undefined)?.name;
  return {
    model: String(body.model),
    system: messages
      .filter((m) => m.role === 'system' || m.role === 'developer')
      .map((m) => textOf(m.content))
      .join('\n'),
    user_texts: messages.filter((m) => m.role === 'user').map((m) => textOf(m.content)),
    tool_names: names(body.tools),
    results: messages
      .filter((m) => m.role === 'tool')
      .map((m) => resultFromText(m.tool_call_id, nameOf(m.tool_call_id), textOf(m.content))),
  };
}

/** Wires without a mark for errors carry it in the words. */
function resultFromText(id: unknown, name: unknown, text: string): SentResult {
  const is_error = text.startsWith('[tool error] ');
  return {
    id: String(id),
    name: typeof name === 'string' ? name : null,
    text: is_error ? text.slice('[tool error] '.length) : text,
    is_error,
  };
}

function responsesView(body: Body): View {
  const items = list(body.input);
  const calls = items.filter((item) => item.type === 'function_call');
  return {
    model: String(body.model),
    system: items
      .filter((item) => item.role === 'system' || item.role === 'developer')
      .map((item) => textOf(item.content))
      .join('\n'),
    user_texts: items.filter((item) => item.role === 'user').map((item) => textOf(item.content)),
    tool_names: names(body.tools),
    results: items
      .filter((item) => item.type === 'function_call_output')
      .map((item) =>
        resultFromText(
          item.call_id,
          calls.find((call) => call.call_id === item.call_id)?.name,
          textOf(item.output),
        ),
      ),
  };
}

function googleView(body: Body, model: string): View {
  const users = list(body.contents).filter((content) => content.role === 'user');
  const parts = users.flatMap((content) => list(content.parts));
  const tools = list(body.tools).flatMap((tool) => list(tool.functionDeclarations));
  return {
    model,
    system: textOf((body.systemInstruction as Body | undefined)?.parts),
    user_texts: users.map((content) => textOf(content.parts)).filter((text) => text !== ''),
    tool_names: names(tools),
    results: parts
      .map((part) => part.functionResponse as Body | undefined)
      .filter((response) => response !== undefined)
      .map((response) => {
        const answer = response.response as Body | undefined;
        return resultFromText(response.id, response.name, String(answer?.content ?? ''));
      }),
  };
}

/** What a request says, in the words of no wire. */
export function viewOf(wire: ServedWire, body: Body | null, path: string): View {
  if (body === null || wire === 'models') {
    return { model: null, system: '', user_texts: [], tool_names: [], results: [] };
  }
  switch (wire) {
    case 'anthropic':
      return anthropicView(body);
    case 'chat':
      return chatView(body);
    case 'responses':
      return responsesView(body);
    case 'google':
      return googleView(body, decodeURIComponent(/models\/([^:/]+):/.exec(path)?.[1] ?? ''));
  }
}
