/** The floor with each message serialised once: what is left of the growth is sending the conversation. */
import { chatClient, chatTools } from '../lib/chat-client.mjs';
import { floorLoop } from '../lib/floor-loop.mjs';
import { growingRequest } from '../lib/growing-request.mjs';
import { connectServer } from '../lib/mcp-client.mjs';
import { openStore } from '../lib/store.mjs';

export async function run({ modelUrl, folder, server: command }) {
  const store = openStore(folder);
  const server = await connectServer(command);
  const model = chatClient(modelUrl);
  const request = growingRequest(chatTools(server.tools));
  const end = await floorLoop({ model, server, request, record: { one: store.append } });
  model.close();
  await server.close();
  store.close();
  return end;
}
