/**
 * LangGraph at its leanest: model and tools as a graph, an interrupt before the tools, its SQLite checkpoints with the
 * channel that stores changes of the messages, one checkpoint per approval.
 */
import path from 'node:path';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import {
  Command,
  END,
  interrupt,
  MessagesDeltaValue,
  START,
  StateGraph,
  StateSchema,
} from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { ChatOpenAI } from '@langchain/openai';

export async function run({ modelUrl, folder, server: command }) {
  const saver = SqliteSaver.fromConnString(path.join(folder, 'state.db'));
  const servers = { everything: { transport: 'stdio', ...command, stderr: 'ignore' } };
  const client = new MultiServerMCPClient({ mcpServers: servers });
  const tools = await client.getTools();
  const configuration = { baseURL: modelUrl };
  const model = new ChatOpenAI({ model: 'bench-1', apiKey: 'unused', maxRetries: 0, configuration });
  const bound = model.bindTools(tools);
  const runTools = new ToolNode(tools, { handleToolErrors: false });
  let approvals = 0;
  let toolCalls = 0;
  const graph = new StateGraph(new StateSchema({ messages: MessagesDeltaValue }))
    .addNode('model', async ({ messages }) => {
      let message;
      for await (const chunk of await bound.stream(messages))
        message = message ? message.concat(chunk) : chunk;
      return { messages: [message] };
    })
    .addNode('tools', async (state, config) => {
      const asked = state.messages.at(-1).tool_calls.map((call) => call.id);
      if (interrupt({ asked }) !== 'approve') throw new Error('The calls were denied.');
      const result = await runTools.invoke(state, config);
      toolCalls += result.messages.length;
      return result;
    })
    .addEdge(START, 'model')
    .addConditionalEdges('model', ({ messages }) => (messages.at(-1).tool_calls?.length ? 'tools' : END))
    .addEdge('tools', 'model')
    .compile({ checkpointer: saver });
  const config = { configurable: { thread_id: 'bench' }, durability: 'exit', recursionLimit: 100_000 };
  let state = await graph.invoke({ messages: [{ role: 'user', content: 'go' }] }, config);
  while (state.__interrupt__?.length) {
    approvals += state.__interrupt__[0].value.asked.length;
    state = await graph.invoke(new Command({ resume: 'approve' }), config);
  }
  await client.close();
  saver.db.close();
  return { approvals, toolCalls, finalText: state.messages.at(-1).content };
}
