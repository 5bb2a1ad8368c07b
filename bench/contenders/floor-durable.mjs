/**
 * `floor-inc` with the durability that the harness promises and nothing else of it: the start of each call is on the disk
 * before the call runs, its end before the model is asked again. What is below it on a machine cannot be reached there.
 */
import { chatClient, chatTools } from '../lib/chat-client.mjs';
import { floorLoop } from '../lib/floor-loop.mjs';
import { growingRequest } from '../lib/growing-request.mjs';
import { connectServer } from '../lib/mcp-client.mjs';
import { openStore } from '../lib/store.mjs';

export async function run({ modelUrl, folder, server: command }) {
  const store = openStore(folder, 'FULL');
  const server = await connectServer(command);
  const model = chatClient(modelUrl);
  const request = growingRequest(chatTools(server.tools));
  const end = await floorLoop({ model, server, request, record: { start: store.append, one: store.append } });
  model.close();
  await server.close();
  store.close();
  return end;
}
