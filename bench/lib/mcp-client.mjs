import { spawn } from 'node:child_process';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

/** The protocol's own client, as most runtimes use it. */
export async function connectServer(server) {
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ ...server, stderr: 'ignore' }));
  const { tools } = await client.listTools();
  return {
    tools,
    call: (name, args) => client.callTool({ name, arguments: args }),
    close: () => client.close(),
  };
}

/** The same without a library: lines of JSON-RPC over the pipes, and the calls of one batch in one write. */
export async function connectServerBare(server) {
  const child = spawn(server.command, server.args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map();
  let count = 0;
  let outgoing = '';
  let incoming = '';
  const send = (message) => {
    if (outgoing === '') {
      queueMicrotask(() => {
        child.stdin.write(outgoing);
        outgoing = '';
      });
    }
    outgoing += `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
  };
  const receive = (message) => {
    if (message.method === undefined) {
      waiting.get(message.id)(message.result);
      waiting.delete(message.id);
    } else if (message.id !== undefined) {
      send({ id: message.id, result: {} });
    }
  };
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    incoming += chunk;
    const lines = incoming.split('\n');
    incoming = lines.pop();
    for (const line of lines) receive(JSON.parse(line));
  });
  const request = (method, params) =>
    new Promise((resolve) => {
      count += 1;
      waiting.set(count, resolve);
      send({ id: count, method, params });
    });
  const clientInfo = { name: 'bench', version: '1.0.0' };
  await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  send({ method: 'notifications/initialized' });
  const { tools } = await request('tools/list', {});
  const gone = new Promise((resolve) => child.once('exit', resolve));
  return {
    tools,
    call: (name, args) => request('tools/call', { name, arguments: args }),
    close() {
      child.stdin.end();
      child.kill('SIGTERM');
      return gone;
    },
  };
}
