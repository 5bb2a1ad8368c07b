/**
 * The AI SDK: streamText, its own MCP client and its approval of tools, which ends the response and goes on with a
 * message. It has no store: the new messages of each step go to SQLite, which is the cheapest way.
 */
import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { isStepCount, streamText } from 'ai';
import { openStore } from '../lib/store.mjs';

globalThis.AI_SDK_LOG_WARNINGS = false;

export async function run({ modelUrl, folder, server: command }) {
  const store = openStore(folder);
  const server = await createMCPClient({ transport: new StdioTransport({ ...command, stderr: 'ignore' }) });
  const tools = await server.tools();
  let approvals = 0;
  let toolCalls = 0;
  const echo = tools.echo.execute;
  tools.echo.execute = async (...args) => {
    const result = await echo(...args);
    toolCalls += 1;
    return result;
  };
  const provider = createOpenAICompatible({ name: 'bench', baseURL: modelUrl, apiKey: 'unused' });
  const messages = [{ role: 'user', content: 'go' }];
  const keep = (message) => {
    messages.push(message);
    store.append(message);
  };
  let finalText = null;
  while (finalText === null) {
    const response = streamText({
      model: provider.chatModel('bench-1'),
      tools,
      messages,
      toolApproval: { echo: 'user-approval' },
      stopWhen: isStepCount(2),
      maxRetries: 0,
      onError({ error }) {
        throw error;
      },
    });
    await response.consumeStream();
    (await response.responseMessages).forEach(keep);
    const requests = (await response.content).filter((part) => part.type === 'tool-approval-request');
    if (requests.length === 0) finalText = await response.text;
    else {
      approvals += requests.length;
      const content = requests.map(({ approvalId }) => ({
        type: 'tool-approval-response',
        approvalId,
        approved: true,
      }));
      keep({ role: 'tool', content });
    }
  }
  await server.close();
  store.close();
  return { approvals, toolCalls, finalText };
}
