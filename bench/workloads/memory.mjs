/** How much the core's memory grows with the events of a session. */
import fs from 'node:fs';
import { runJob } from '../lib/processes.mjs';

const recorder = new URL('../lib/recorded-session.mjs', import.meta.url).href;

/** Bytes that are really held: what is garbage has gone. */
async function heldBytes() {
  for (let round = 0; round < 3; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    globalThis.gc();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Appends by working: a conversation with a model and a tool; looks at a tenth of the way and at the end. */
export async function appendAndHold({ folder, server, modelUrl, rounds }) {
  const { openConversation, openOurs } = await import('../lib/our-harness.mjs');
  const kind = 'openai-compatible';
  const harness = await openOurs({ folder, server, model: { kind, url: modelUrl } });
  const { session, counts, toEnd } = await openConversation(harness, kind);
  const samples = [];
  const early = Math.floor(rounds / 10);
  let looking = null;
  session.subscribe(0, () => {
    if (looking === null && counts.toolCalls >= early) {
      looking = heldBytes().then((bytes) => samples.push({ bytes, events: counts.events }));
    }
  });
  await toEnd();
  await looking;
  samples.push({ bytes: await heldBytes(), events: counts.events });
  await harness.close();
  return { samples };
}

/** Opens a recorded session and watches it to its end, keeping nothing of it here. */
export async function openAndHold({ folder, count }) {
  const { openOurs, valueOf, watchWhole } = await import('../lib/our-harness.mjs');
  const { recordedId } = await import('../lib/recorded-session.mjs');
  const harness = await openOurs({ folder });
  const before = { bytes: await heldBytes(), events: 0 };
  const session = valueOf(harness.sessions.get(recordedId));
  await watchWhole(session, count);
  const samples = [before, { bytes: await heldBytes(), events: count }];
  await harness.close();
  return { samples };
}

function growth({ samples: [early, late] }) {
  return {
    events: late.events - early.events,
    bytes_per_event: (late.bytes - early.bytes) / (late.events - early.events),
  };
}

export async function runMemory({ place, model, server, steps, events, timeout_ms, say }) {
  const results = [];
  const job = async (call, module, args) =>
    runJob(
      { module, call, args },
      { timeout_ms, log: place.log(`memory-${call}`), nodeArgs: ['--expose-gc'] },
    );
  const keep = (name, run) => {
    const figures = run.ok ? growth(run.value) : { errors: [run.error] };
    results.push({ workload: 'memory', name, ok: run.ok, ...figures });
    say(
      `memory, ${name}: ${run.ok ? `${figures.bytes_per_event.toFixed(0)} bytes per event` : run.error.slice(0, 300)}`,
    );
  };

  const working = place.folder('memory-append');
  const rounds = Math.max(...steps);
  await model.open('memory', rounds, 1);
  const modelUrl = model.urlOf('memory');
  keep(
    'appended',
    await job('appendAndHold', import.meta.url, { folder: working, server, modelUrl, rounds }),
  );
  await model.report('memory');
  fs.rmSync(working, { recursive: true, force: true });

  const folder = place.folder('memory-open');
  const written = await job('recordSession', recorder, { folder, size: Math.max(...events) });
  if (written.ok) {
    keep('opened', await job('openAndHold', import.meta.url, { folder, count: written.value.count }));
  } else keep('opened', written);
  fs.rmSync(folder, { recursive: true, force: true });
  return results;
}
