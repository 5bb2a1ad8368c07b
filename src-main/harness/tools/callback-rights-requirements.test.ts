import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { samplePng } from '../testing/sample-images';
import { presentCallbackTool, ToolImageResult, type CallbackDefinition } from './callback-tool';
import type { RegistrationOptions, ToolContext } from './tool';

const context: ToolContext = {
  session_id: 's_1',
  turn_id: 't_1',
  call_id: 'c_1',
  qualified_name: 'app.look',
  model_alias: 'app__look',
  workspace: null,
  signal: new AbortController().signal,
  progress: () => undefined,
};

const callback = (execute: CallbackDefinition['execute']): CallbackDefinition => ({
  namespace: 'app',
  name: 'look',
  description: 'Looks.',
  inputSchema: { type: 'object' },
  execute,
});

it('S1-24 S1-37: a callback reaches what its application reaches, its environment and files anywhere', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'elsewhere-'));
  try {
    const file = join(folder, 'note.txt');
    writeFileSync(file, 'outside of any workspace');
    const tool = presentCallbackTool(
      callback(() => ({ path: process.env['PATH'] ?? null, text: readFileSync(file, 'utf8') })),
      { classification: 'read' },
    );
    expect(await tool.run(context, {})).toMatchObject({
      type: 'output',
      output: { structured: { path: process.env['PATH'], text: 'outside of any workspace' } },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('S1-41: nothing that a host gives at registration moves a callback into a sandbox', () => {
  const asked = { classification: 'exec', placement: 'sandboxed' } as RegistrationOptions;
  expect(
    presentCallbackTool(
      callback(() => null),
      asked,
    ),
  ).toMatchObject({
    placement: 'application',
    classification: 'exec',
  });
});

it('S1-65 S1-76: a callback gets no means of capture; an image is what the application itself returns', async () => {
  const given: string[] = [];
  const tool = presentCallbackTool(
    callback((_args, own) => {
      given.push(...Object.keys(own));
      const base64 = samplePng().toString('base64');
      return new ToolImageResult({ scope: 'preview' }, { mimeType: 'image/png', base64 });
    }),
    {},
  );
  const end = await tool.run(context, {});
  expect(given.sort()).toEqual([
    'callId',
    'modelAlias',
    'progress',
    'qualifiedName',
    'sessionId',
    'signal',
    'turnId',
  ]);
  expect(end).toMatchObject({ type: 'output', output: { image: { media_type: 'image/png' } } });
});
