/**
 * OpenAI Agents SDK: tools that need approval interrupt the run, which goes on with its state. What lasts is the list of
 * items, through the SDK's interface for sessions; the waiting approval itself would be lost in a crash.
 */
import { Agent, getAllMcpTools, MCPServerStdio, OpenAIChatCompletionsModel, Runner } from '@openai/agents';
import OpenAI from 'openai';
import { openStore } from '../lib/store.mjs';

function sessionIn(store) {
  const items = [];
  return {
    getSessionId: async () => 'bench',
    getItems: async (limit) => (limit ? items.slice(-limit) : [...items]),
    async addItems(more) {
      for (const item of more) {
        items.push(item);
        store.append(item);
      }
    },
    popItem: async () => items.pop(),
    async clearSession() {
      items.length = 0;
    },
  };
}

export async function run({ modelUrl, folder, rounds, server: command }) {
  const store = openStore(folder);
  const server = new MCPServerStdio({ ...command, name: 'everything', cacheToolsList: true });
  await server.connect();
  let approvals = 0;
  let toolCalls = 0;
  const tools = await getAllMcpTools([server]);
  for (const tool of tools) {
    const { invoke } = tool;
    tool.needsApproval = async () => true;
    tool.invoke = async (...args) => {
      const result = await invoke(...args);
      toolCalls += 1;
      return result;
    };
  }
  const client = new OpenAI({ baseURL: modelUrl, apiKey: 'unused', maxRetries: 0 });
  const model = new OpenAIChatCompletionsModel(client, 'bench-1');
  const agent = new Agent({ name: 'bench', model, tools });
  const runner = new Runner({ tracingDisabled: true });
  const options = { stream: true, maxTurns: rounds + 10, session: sessionIn(store) };
  let result = await runner.run(agent, 'go', options);
  await result.completed;
  while (result.interruptions.length > 0) {
    for (const request of result.interruptions) {
      result.state.approve(request);
      approvals += 1;
    }
    result = await runner.run(agent, result.state, options);
    await result.completed;
  }
  await server.close();
  store.close();
  return { approvals, toolCalls, finalText: result.finalOutput };
}
