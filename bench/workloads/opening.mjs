/** How long a person waits for a long session: jobs of child.mjs and what the runner makes of them. */
import fs from 'node:fs';
import { runJob } from '../lib/processes.mjs';
import { median } from '../lib/statistics.mjs';

const recorder = new URL('../lib/recorded-session.mjs', import.meta.url).href;

/**
 * Opens the session and watches it from its beginning, as a window does. `screen_ms`: until the newest event was
 * there; `whole_ms`: until every event was. The newest screen is what a person looks at first.
 */
export async function openOnce({ folder, count }) {
  const { openOurs, valueOf, watchWhole } = await import('../lib/our-harness.mjs');
  const { recordedId } = await import('../lib/recorded-session.mjs');
  const began = performance.now();
  const harness = await openOurs({ folder });
  const opened = performance.now();
  const session = valueOf(harness.sessions.get(recordedId));
  const got = performance.now();
  let first = null;
  let screen = null;
  let pushes = 0;
  await watchWhole(session, count, (events) => {
    pushes += 1;
    first ??= performance.now();
    if (events.some((event) => event.seq === count)) screen ??= performance.now();
  });
  const whole = performance.now();
  await harness.close();
  return {
    harness_ms: opened - began,
    get_ms: got - opened,
    first_push_ms: first - opened,
    screen_ms: screen - opened,
    whole_ms: whole - opened,
    pushes,
  };
}

const figures = ['harness_ms', 'get_ms', 'first_push_ms', 'screen_ms', 'whole_ms'];

async function measureSize(size, { place, repeats, timeout_ms, say }) {
  const folder = place.folder(`open-${size}`);
  const job = (module, call, args) =>
    runJob(
      { module, call, args: { folder, ...args } },
      { timeout_ms, log: place.log(`open-${size}-${call}`) },
    );
  const written = await job(recorder, 'recordSession', { size });
  if (!written.ok) return { workload: 'open', size, ok: false, errors: [written.error] };
  const { count } = written.value;
  const runs = [];
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const run = await job(import.meta.url, 'openOnce', { count });
    if (!run.ok) return { workload: 'open', size, ok: false, errors: [run.error] };
    runs.push({ ...run.value, peak_bytes: run.peak_bytes });
  }
  fs.rmSync(folder, { recursive: true, force: true });
  const medians = figures.map((name) => [name, median(runs.map((run) => run[name]))]);
  const result = {
    workload: 'open',
    size,
    count,
    ok: true,
    ...Object.fromEntries(medians),
    pushes: runs[0].pushes,
    peak_bytes: median(runs.map((run) => run.peak_bytes)),
  };
  say(
    `open ${count} events: last screen ${result.screen_ms.toFixed(0)} ms, whole ${result.whole_ms.toFixed(0)} ms`,
  );
  return result;
}

export async function runOpening(settings) {
  const results = [];
  for (const size of settings.events) results.push(await measureSize(size, settings));
  return results;
}
