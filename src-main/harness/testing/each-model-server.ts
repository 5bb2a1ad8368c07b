import { afterEach, beforeEach, expect } from 'vitest';
import { startModelServer, type ModelServer } from './model-server';

/** A fresh model server before each test of the file; a test that leaves something unasked or unscripted fails. */
export function eachModelServer(use: (server: ModelServer) => void): void {
  let server: ModelServer;
  beforeEach(async () => {
    server = await startModelServer();
    use(server);
  });
  afterEach(async () => {
    expect(await server.close()).toEqual([]);
  });
}
