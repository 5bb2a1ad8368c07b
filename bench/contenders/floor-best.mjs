/** As low as care alone goes: `floor-inc` with bare JSON-RPC to the server and one transaction per response. */
import { chatClient, chatTools } from '../lib/chat-client.mjs';
import { floorLoop } from '../lib/floor-loop.mjs';
import { growingRequest } from '../lib/growing-request.mjs';
import { connectServerBare } from '../lib/mcp-client.mjs';
import { openStore } from '../lib/store.mjs';

export async function run({ modelUrl, folder, server: command }) {
  const store = openStore(folder);
  const server = await connectServerBare(command);
  const model = chatClient(modelUrl);
  const request = growingRequest(chatTools(server.tools));
  const end = await floorLoop({ model, server, request, record: { batch: store.appendAll } });
  model.close();
  await server.close();
  store.close();
  return end;
}
