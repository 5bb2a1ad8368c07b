import { expect, test } from '@playwright/test';
import { startModelServer, type ModelServer } from '../../src-main/harness/testing/model-server';
import { launch, type LaunchOptions, type RunningApp } from './app';
import { connectAnthropic } from './session';

/** A model server and an app for each test of a file. */
export interface Desk {
  /** A fresh one for each test. */
  readonly server: ModelServer;
  /** Starts an app that is closed at the end of the test. */
  launch(options?: LaunchOptions): Promise<RunningApp>;
  /** Starts an app whose model is the desk's server; on a `profile` of before only the key is entered anew. */
  begin(profile?: string): Promise<RunningApp>;
}

/** A test that leaves something of the model server unasked or unscripted fails. */
export function useDesk(): Desk {
  let server: ModelServer;
  let running: RunningApp | null = null;
  test.beforeEach(async () => {
    server = await startModelServer();
  });
  test.afterEach(async () => {
    await running?.close();
    running = null;
    expect(await server.close()).toEqual([]);
  });
  const start = async (options?: LaunchOptions): Promise<RunningApp> => {
    running = await launch(options);
    return running;
  };
  return {
    get server() {
      return server;
    },
    launch: start,
    async begin(profile) {
      const app = await start(profile === undefined ? {} : { profile });
      const again = profile !== undefined;
      await connectAnthropic(app.page, server.baseUrl('anthropic'), { again });
      return app;
    },
  };
}
