import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { collect, modelRequest, textOf } from '../testing/model-server-wire-table';
import { createModelProvider } from './create-model-provider';
import type { ModelProvider } from './port';

const never = new AbortController().signal;
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

type Answer = (response: ServerResponse, socket: Socket) => void;

async function serve(
  answer: Answer,
): Promise<{ provider: ModelProvider; sockets: Set<Socket>; asked: () => number }> {
  const sockets = new Set<Socket>();
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    sockets.add(request.socket);
    request.resume();
    request.on('end', () => answer(response, request.socket));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const provider = createModelProvider({ id: 'e', kind: 'openai-compatible', base_url, key: null });
  return { provider, sockets, asked: () => asked };
}

const chunk = (content: string, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason }] })}\n\n`;
const whole = `${chunk('Hello.')}${chunk('', 'stop')}data: [DONE]\n\n`;
const stream = { 'content-type': 'text/event-stream' };
const ask = (provider: ModelProvider) => collect(provider.stream(modelRequest(), never));

describe('connections to a model', () => {
  it('are kept from one request to the next, also where the end comes late', async () => {
    const { provider, sockets } = await serve((response) => {
      response.writeHead(200, stream).write(whole);
      setTimeout(() => response.end(), 30);
    });
    for (let round = 0; round < 3; round += 1) {
      expect(textOf(await ask(provider))).toBe('Hello.');
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    expect(sockets.size).toBe(1);
  });

  it('that the server gave up in the meantime are replaced without a word', async () => {
    let requests = 0;
    const { provider, sockets, asked } = await serve((response, socket) => {
      requests += 1;
      // The second request meets a kept connection that breaks before anything is answered.
      if (requests === 2) socket.destroy();
      else response.writeHead(200, stream).end(whole);
    });
    await ask(provider);
    expect((await ask(provider)).at(-1)).toMatchObject({ type: 'finished' });
    expect([asked(), sockets.size]).toEqual([3, 2]);
  });

  it('that break on a fresh connection are not tried again', async () => {
    const { provider, asked } = await serve((_response, socket) => socket.destroy());
    expect((await ask(provider)).at(-1)).toMatchObject({
      type: 'failed',
      error: { code: 'model_unreachable', retryable: true },
    });
    expect(asked()).toBe(1);
  });

  it('put characters together that come in halves', async () => {
    const bytes = Buffer.from(`${chunk('ü😀')}${chunk('', 'stop')}data: [DONE]\n\n`);
    const { provider } = await serve((response) => {
      response.writeHead(200, stream);
      let at = 0;
      const next = () => {
        if (at >= bytes.length) return response.end();
        response.write(bytes.subarray(at, (at += 1)), () => setImmediate(next));
        return undefined;
      };
      next();
    });
    expect(textOf(await ask(provider))).toBe('ü😀');
  });

  it('give 100,000 tiny pieces whole and in order, whoever reads them slowly', async () => {
    const pieces = Array.from({ length: 100_000 }, (_, index) => `${index},`);
    const { provider } = await serve((response) => {
      response.writeHead(200, stream);
      response.end(`${pieces.map((piece) => chunk(piece)).join('')}${chunk('', 'stop')}data: [DONE]\n\n`);
    });
    let text = '';
    let parts = 0;
    for await (const part of provider.stream(modelRequest(), never)) {
      parts += 1;
      if (parts % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
      if (part.type === 'text') text += part.text;
      else expect(part).toMatchObject({ type: 'finished', reason: 'stop' });
    }
    expect(text).toBe(pieces.join(''));
    // A flood comes joined, a read at a time.
    expect(parts).toBeLessThan(20_000);
  });
});
