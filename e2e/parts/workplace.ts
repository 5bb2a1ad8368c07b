import fs from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { startModelServer, type ModelServer } from '../../src-main/harness/testing/model-server';
import { place, type Place } from './openworker';

export interface Workplace {
  readonly server: ModelServer;
  readonly at: Place;
}

/** A model server, and folders with these files in the workspace. */
export async function openWorkplace(files: Readonly<Record<string, string>>): Promise<Workplace> {
  const server = await startModelServer();
  const at = place();
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(at.workspace, name), text);
  return { server, at };
}

/** Everything goes, and the server must have been asked nothing that it was not told of. */
export async function closeWorkplace({ server, at }: Workplace): Promise<void> {
  at.close();
  expect(await server.close()).toEqual([]);
}
