import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { imageLifeMs } from '../images';
import type { ModelProvider, ModelRequest } from '../model';
import { samplePng, sampleJpeg } from '../testing/sample-images';
import { calls, knownModel, says, scriptedModel, type ScriptedAnswer } from '../testing/scripted-model';
import { benches, only, request, say, start } from '../testing/session-acts';
import type { BenchTool, SessionBench } from '../testing/session-bench';
import { ToolImageResult, type CallbackDefinition } from '../tools';

const bench = benches();

type Seeing = ModelProvider & { readonly requests: ModelRequest[] };

function seeing(...answers: ScriptedAnswer[]): Seeing {
  return knownModel(scriptedModel(...answers), {}, true);
}

/** A tool that takes one picture after the other. */
function camera(hooks: Partial<BenchTool> = {}): BenchTool & { readonly taken: Buffer[] } {
  const taken: Buffer[] = [];
  return {
    name: 'test.shot',
    classification: 'read',
    call: () => {
      const data = samplePng(9, 7, { shade: 40 + taken.length });
      taken.push(data);
      return Promise.resolve({ structured: { scope: 'preview' }, image: { media_type: 'image/png', data } });
    },
    taken,
    ...hooks,
  };
}

const shot = (id: string) => calls([id, 'test__shot', {}]);
const imageOf = (one: ModelRequest | undefined) => one?.transient?.image ?? null;
const wordsOf = (one: ModelRequest | undefined) => one?.transient?.text ?? '';

/** Every byte that the journal has on the disk. */
function journalBytes(made: SessionBench): Buffer {
  const files = readdirSync(made.folder).filter((name) => name.includes('journal'));
  return Buffer.concat(files.map((name) => readFileSync(join(made.folder, name))));
}

describe('an image of a tool', () => {
  it('S0-34 S1-73 S1-75: its pixels go with the attempt behind all messages; records and history hold a reference', async () => {
    const model = seeing(shot('c1'), says('I see.'));
    const tool = camera();
    const made = bench({ model, tools: [tool] });
    const session = made.create();
    await say(session);
    const [data] = tool.taken;
    if (!data) throw new Error('No picture was taken.');
    expect(imageOf(model.requests[0])).toBeNull();
    expect(Buffer.from(imageOf(model.requests[1])?.data ?? []).equals(data)).toBe(true);
    const [finished] = only(made.events(session.session_id), 'tool_finished');
    expect(finished?.data.result?.image).toMatchObject({
      media_type: 'image/png',
      bytes: data.length,
      digest: createHash('sha256').update(data).digest('hex'),
      width: 9,
      height: 7,
    });
    const told = model.requests[1]?.messages.at(-1);
    const id = finished?.data.result?.image?.image_id ?? '';
    expect(told?.text).toContain(`[It returned an image: ${id}, image/png, 9 × 7.`);
    expect(only(made.events(session.session_id), 'attempt_started').map((one) => one.data.image_id)).toEqual([
      undefined,
      id,
    ]);
    const pixels = [data, Buffer.from(data.toString('base64')), Buffer.from(data.toString('hex'))];
    const kept = journalBytes(made);
    expect(kept.includes(id)).toBe(true);
    for (const form of pixels) expect(kept.includes(form.subarray(20, 60))).toBe(false);
    expect(JSON.stringify(model.requests[1]?.messages)).not.toContain(data.toString('base64').slice(20, 60));
  });

  it('S0-36 S0-14: consent is asked again before each delivery, and anything but a plain yes is a no', async () => {
    const answers: unknown[] = [true, false, Promise.resolve(true), undefined];
    const model = seeing(
      shot('c1'),
      ...['a', 'b', 'c', 'd', 'e'].map((id) => calls([id, 'test__none', {}])),
      says('ok'),
    );
    const tool = camera({
      mayForwardImage: () => {
        if (answers.length === 0) throw new Error('boom');
        return answers.shift() as boolean;
      },
    });
    await say(bench({ model, tools: [tool] }).create());
    expect(model.requests.map((one) => imageOf(one) !== null)).toEqual([
      false,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(wordsOf(model.requests[2])).toContain('the permission to pass on images of test.shot has ended');
    expect(wordsOf(model.requests[5])).toContain('could not say whether it may be passed on');
  });

  it('S1-63 S1-77: a callback gives one beside its JSON, or plain JSON as before', async () => {
    const data = sampleJpeg(16, 8);
    const preview: CallbackDefinition = {
      namespace: 'app',
      name: 'preview',
      description: 'Shows a preview.',
      inputSchema: { type: 'object' },
      execute: (args) =>
        args['image'] === true
          ? new ToolImageResult({ width: 16 }, { mimeType: 'image/jpeg', base64: data.toString('base64') })
          : { displayed: true },
    };
    const model = seeing(
      calls(['c1', 'app__preview', { image: false }]),
      calls(['c2', 'app__preview', { image: true }]),
      says('ok'),
    );
    const made = bench({ model, callbacks: [preview] });
    const session = made.create();
    await say(session);
    const [plain, pictured] = only(made.events(session.session_id), 'tool_finished');
    expect(plain?.data.result).toEqual({ text: '{"displayed":true}', structured: { displayed: true } });
    expect(pictured?.data.result).toMatchObject({
      structured: { width: 16 },
      image: { width: 16, height: 8 },
    });
    expect(imageOf(model.requests[1])).toBeNull();
    expect(imageOf(model.requests[2])).toMatchObject({ media_type: 'image/jpeg' });
  });

  it('S1-66: goes to no model that does not see and through no host that does not advertise it; it is told in words', async () => {
    const blind = scriptedModel(shot('c1'), says('ok'));
    await say(bench({ model: blind, tools: [camera()] }).create());
    expect(imageOf(blind.requests[1])).toBeNull();
    expect(wordsOf(blind.requests[1])).toContain('this model does not see images');
    const kept = seeing(shot('c1'), says('ok'));
    await say(bench({ model: kept, tools: [camera()], forwardsImages: false }).create());
    expect(imageOf(kept.requests[1])).toBeNull();
    expect(wordsOf(kept.requests[1])).toContain('this app does not pass images on');
  });

  it('S1-68 S1-72: only the latest of a session is held and delivered, each session its own', async () => {
    const model = seeing(shot('c1'), shot('c2'), says('ok'), says('other'));
    const tool = camera();
    const made = bench({ model, tools: [tool] });
    const [session, other] = [made.create(), made.create()];
    await say(session);
    const [first, second] = tool.taken;
    expect(Buffer.from(imageOf(model.requests[1])?.data ?? []).equals(first ?? Buffer.alloc(1))).toBe(true);
    expect(Buffer.from(imageOf(model.requests[2])?.data ?? []).equals(second ?? Buffer.alloc(1))).toBe(true);
    const [one, two] = only(made.events(session.session_id), 'tool_finished');
    const store = made.images(session.session_id);
    expect(store.bytes(session.session_id, one?.data.result?.image?.image_id ?? '')).toBeNull();
    expect(store.bytes(session.session_id, two?.data.result?.image?.image_id ?? '')).not.toBeNull();
    await say(other);
    expect(imageOf(model.requests[3])).toBeNull();
    expect(wordsOf(model.requests[3])).toBe('');
  });

  it('S1-72 S1-74: lives five minutes; afterwards, and after a restart, the model is told to take it again', async () => {
    let time = 0;
    const model = seeing(shot('c1'), says('ok'), says('still'), says('gone'));
    const made = bench({ model, tools: [camera()], clock: () => time });
    const session = made.create();
    await say(session);
    time = imageLifeMs - 1;
    await say(session);
    time = imageLifeMs;
    await say(session);
    expect(model.requests.slice(1).map((one) => imageOf(one) !== null)).toEqual([true, true, false]);
    expect(wordsOf(model.requests[3])).toMatch(/is no longer kept\. Call the tool again/);
    const later = seeing(says('ok'));
    await say(made.reopen(session.session_id, { model: later }));
    expect(imageOf(later.requests[0])).toBeNull();
    expect(wordsOf(later.requests[0])).toMatch(/is no longer kept\. Call the tool again/);
  });

  it('is dropped where the consent of its tool ends: at the end of the turn, at Stop and at the close', async () => {
    const noHook = camera();
    const revoking = camera({ revoke: () => undefined });
    const keeping = camera({ revoke: () => undefined, turnFinished: () => undefined });
    const left = async (tool: BenchTool, end: 'finish' | 'stop' | 'close'): Promise<boolean> => {
      const asks: BenchTool = { name: 'test.ask', call: () => Promise.resolve({ text: '' }) };
      const more = end === 'finish' ? [says('ok')] : [calls(['c2', 'test__ask', {}])];
      const made = bench({ model: seeing(shot('c1'), ...more), tools: [tool, asks] });
      const session = made.create();
      const { done } = await start(session);
      if (end !== 'finish') {
        await request(made, session);
        await (end === 'stop' ? session.stop() : session.close());
      }
      await done;
      return made.images(session.session_id).latest(session.session_id) !== null;
    };
    expect([await left(noHook, 'finish'), await left(noHook, 'stop'), await left(noHook, 'close')]).toEqual([
      true,
      true,
      false,
    ]);
    expect([await left(revoking, 'finish'), await left(revoking, 'stop')]).toEqual([false, false]);
    expect([await left(keeping, 'finish'), await left(keeping, 'stop')]).toEqual([true, false]);
  });

  it('of another branch is none of this conversation', async () => {
    const model = seeing(shot('c1'), says('ok'), says('Without.'));
    const made = bench({ model, tools: [camera()] });
    const session = made.create();
    await say(session);
    const [turn] = only(made.events(session.session_id), 'message_submitted');
    const edited = session.edit(turn?.turn_id ?? '', { text: 'No picture', files: [], mentions: [] });
    if (!edited.ok) throw new Error(edited.error.message);
    await edited.value.done;
    expect(imageOf(model.requests[2])).toBeNull();
    expect(wordsOf(model.requests[2])).toBe('');
  });

  it('that is refused leaves the words of the result and a reason', async () => {
    const model = seeing(shot('c1'), says('ok'));
    const broken = camera({
      call: () =>
        Promise.resolve({ text: 'taken', image: { media_type: 'image/png', data: Buffer.from('GIF89a') } }),
    });
    const made = bench({ model, tools: [broken] });
    const session = made.create();
    await say(session);
    const told = model.requests[1]?.messages.at(-1)?.text;
    expect(told).toMatch(/^taken\n\[The tool returned an image, which was refused/);
    expect(imageOf(model.requests[1])).toBeNull();
  });
});
