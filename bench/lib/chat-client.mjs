import http from 'node:http';

function createReader() {
  let rest = '';
  let text = '';
  const calls = [];
  const readDelta = (delta) => {
    text += delta.content ?? '';
    for (const part of delta.tool_calls ?? []) {
      const call = (calls[part.index] ??= { id: '', name: '', arguments: '' });
      call.id += part.id ?? '';
      call.name += part.function?.name ?? '';
      call.arguments += part.function?.arguments ?? '';
    }
  };
  return {
    read(chunk) {
      rest += chunk;
      let from = 0;
      for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n', from)) {
        const line = rest.slice(from, end);
        from = end + 2;
        if (!line.startsWith('data: {')) continue;
        const delta = JSON.parse(line.slice(6)).choices[0]?.delta;
        if (delta) readDelta(delta);
      }
      rest = rest.slice(from);
    },
    answer: () => ({ text, calls }),
  };
}

/** Chat Completions over one kept connection, without a library. `post` takes the whole body as bytes. */
export function chatClient(modelUrl) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const { hostname, port, pathname } = new URL(`${modelUrl}/chat/completions`);
  const post = (body) =>
    new Promise((resolve, reject) => {
      const headers = {
        'content-type': 'application/json',
        'content-length': body.length,
        authorization: 'Bearer unused',
      };
      const request = http.request({
        agent,
        hostname,
        port,
        path: pathname,
        method: 'POST',
        headers,
      });
      request.on('error', reject);
      request.on('response', (response) => {
        const reader = createReader();
        response.setEncoding('utf8');
        response.on('data', reader.read);
        response.on('error', reject);
        response.on('end', () => {
          if (response.statusCode === 200) resolve(reader.answer());
          else reject(new Error(`The model answered with status ${response.statusCode}.`));
        });
      });
      request.end(body);
    });
  return { post, close: () => agent.destroy() };
}

/** Tools of an MCP server as Chat Completions takes them. */
export function chatTools(tools) {
  return tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: inputSchema },
  }));
}

/** A response with calls, as it goes back with the history. */
export function proposal(calls) {
  return {
    role: 'assistant',
    content: null,
    tool_calls: calls.map(({ id, name, arguments: text }) => ({
      id,
      type: 'function',
      function: { name, arguments: text },
    })),
  };
}
