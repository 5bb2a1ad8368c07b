/**
 * pi (pi-agent-core with pi-ai). It has an approval hook that the process waits in, no suspended state, no MCP client
 * and no store: the tools wrap the protocol's client, and every message goes to SQLite when it is complete.
 */
import { Agent } from '@earendil-works/pi-agent-core';
import { createModels, createProvider } from '@earendil-works/pi-ai';
import { anthropicMessagesApi } from '@earendil-works/pi-ai/api/anthropic-messages.lazy';
import { openAICompletionsApi } from '@earendil-works/pi-ai/api/openai-completions.lazy';
import { connectServer } from '../lib/mcp-client.mjs';
import { openStore } from '../lib/store.mjs';

const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const forms = {
  chat: { api: 'openai-completions', create: openAICompletionsApi, baseOf: (url) => url },
  anthropic: {
    api: 'anthropic-messages',
    create: anthropicMessagesApi,
    baseOf: (url) => url.replace(/\/v1$/, ''),
  },
};

function modelOf(modelUrl, { api, create, baseOf }) {
  const model = {
    id: 'bench-1',
    name: 'bench',
    api,
    provider: 'bench',
    baseUrl: baseOf(modelUrl),
    reasoning: false,
    input: ['text'],
    cost: free,
    contextWindow: 1e9,
    maxTokens: 1000,
  };
  const models = createModels();
  const resolve = async () => ({ auth: { apiKey: 'unused' } });
  const provider = createProvider({
    id: 'bench',
    name: 'bench',
    baseUrl: model.baseUrl,
    auth: { apiKey: { name: 'bench', resolve } },
    models: [model],
    api: create(),
  });
  models.setProvider(provider);
  return { model, streamFn: models.streamSimple.bind(models) };
}

export async function converse({ modelUrl, folder, server: command }, form) {
  const store = openStore(folder);
  const server = await connectServer(command);
  const { model, streamFn } = modelOf(modelUrl, forms[form]);
  let approvals = 0;
  let toolCalls = 0;
  let failure = null;
  const tools = server.tools.map(({ name, description, inputSchema }) => ({
    name,
    label: name,
    description,
    parameters: inputSchema,
    async execute(_id, args) {
      const { content } = await server.call(name, args);
      toolCalls += 1;
      return { content, details: undefined };
    },
  }));
  const agent = new Agent({
    initialState: { systemPrompt: '', model, tools },
    streamFn,
    async beforeToolCall() {
      approvals += 1;
      return undefined;
    },
  });
  agent.subscribe((event) => {
    if (event.type !== 'message_end') return;
    store.append(event.message);
    failure = event.message.errorMessage ?? failure;
  });
  await agent.prompt('go');
  await server.close();
  store.close();
  if (failure) throw new Error(failure);
  const said = agent.state.messages.at(-1).content.filter((part) => part.type === 'text');
  return { approvals, toolCalls, finalText: said.map((part) => part.text).join('') };
}

export const run = (args) => converse(args, 'chat');
