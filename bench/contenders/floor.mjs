/**
 * The floor: the protocol's client, bare HTTP to the model with the whole conversation serialised anew each time, and one
 * SQLite insert per call. An approval is a function in the process, and nothing is validated.
 */
import { chatClient, chatTools } from '../lib/chat-client.mjs';
import { floorLoop } from '../lib/floor-loop.mjs';
import { connectServer } from '../lib/mcp-client.mjs';
import { openStore } from '../lib/store.mjs';

export async function run({ modelUrl, folder, server: command }) {
  const store = openStore(folder);
  const server = await connectServer(command);
  const model = chatClient(modelUrl);
  const tools = chatTools(server.tools);
  const messages = [];
  const request = {
    push: (message) => void messages.push(message),
    bytes: () => Buffer.from(JSON.stringify({ model: 'bench-1', stream: true, messages, tools })),
  };
  const end = await floorLoop({ model, server, request, record: { one: store.append } });
  model.close();
  await server.close();
  store.close();
  return end;
}
