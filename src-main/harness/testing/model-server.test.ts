import { describe, expect, it } from 'vitest';
import { startModelServer } from './model-server';

describe('model server of the tests', () => {
  const headers = { 'x-api-key': 'test-key', 'content-type': 'application/json' };
  const body = JSON.stringify({ model: 'm', messages: [] });

  it('answers 500 and records a fault where nothing is scripted', async () => {
    const server = await startModelServer();
    const response = await fetch(`${server.origin}/v1/messages`, { method: 'POST', headers, body });
    expect(response.status).toBe(500);
    expect(await server.close()).toEqual(['no response is scripted for POST /v1/messages']);
  });

  it('records a path that no wire has, and a response that nobody fetched', async () => {
    const server = await startModelServer();
    server.enqueue({ answer: { text: ['never'] } });
    expect((await fetch(`${server.origin}/v2/other`)).status).toBe(404);
    expect(await server.close()).toEqual([
      'unexpected request: GET /v2/other',
      '1 scripted responses were never fetched',
    ]);
  });

  it('refuses a key that it does not know, and leaves nothing open', async () => {
    const server = await startModelServer();
    const wrong = { ...headers, 'x-api-key': 'other' };
    expect(
      (await fetch(`${server.origin}/v1/messages`, { method: 'POST', headers: wrong, body })).status,
    ).toBe(401);
    expect(await server.close()).toEqual([]);
    await expect(fetch(server.origin)).rejects.toThrow();
  });
});
