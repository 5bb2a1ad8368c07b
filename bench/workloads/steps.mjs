/** W1 and W2: conversations of approved tool calls, every contender between two runs of the floor. */
import fs from 'node:fs';
import { runJob } from '../lib/processes.mjs';
import { closingText } from '../lib/script.mjs';
import { median } from '../lib/statistics.mjs';

let conversations = 0;

/** A run counts only if everything that should have happened did. */
function faultsOf(run, seen, rounds, parallel) {
  if (!run.ok) return [run.error, ...seen.errors.slice(0, 3)];
  const calls = rounds * parallel;
  const { approvals, toolCalls, finalText } = run.value;
  const expected = [
    ['tool calls', toolCalls, calls],
    ['approvals', approvals, calls],
    ['the closing text', finalText, closingText(rounds)],
    ['requests to the model', seen.requests, rounds + 1],
    ['results in the last request', seen.results, calls],
    ['ids of results in the last request', seen.distinct, calls],
  ];
  const wrong = expected.filter(([, is, should]) => is !== should);
  return [
    ...wrong.map(([what, is, should]) => `${what}: ${is} instead of ${should}`),
    ...seen.errors.slice(0, 3),
  ];
}

function logLine({ workload, name, rounds, parallel, ok, errors, step_ms, peak_bytes, written_bytes }) {
  const shape = parallel === 1 ? `${rounds} steps` : `${rounds} batches of ${parallel}`;
  const figures = ok
    ? `${median(step_ms.slice(1)).toFixed(2)} ms, peak ${(peak_bytes / 1e6).toFixed(0)} MB, written ${((written_bytes ?? 0) / 1e6).toFixed(1)} MB`
    : `FAILED after ${step_ms.length}: ${errors.join(' | ').slice(0, 400)}`;
  return `${workload} ${name}, ${shape}: ${figures}`;
}

async function measure(settings, workload, name, rounds, parallel, repeat) {
  const { place, model, server, contenders, timeout_ms, profile, say } = settings;
  conversations += 1;
  const id = `b${conversations}`;
  const label = `${workload}-${name}-${rounds}-${repeat}`;
  const folder = place.folder(label);
  await model.open(id, rounds, parallel);
  const profiled = profile && !name.startsWith('floor');
  const nodeArgs = profiled
    ? ['--cpu-prof', `--cpu-prof-dir=${place.profiles}`, `--cpu-prof-name=${label}.cpuprofile`]
    : [];
  const args = { modelUrl: model.urlOf(id), folder, rounds, parallel, server };
  const job = { module: contenders.get(name), call: 'run', args };
  const run = await runJob(job, { timeout_ms, log: place.log(label), nodeArgs });
  const seen = await model.report(id);
  fs.rmSync(folder, { recursive: true, force: true });
  const errors = faultsOf(run, seen, rounds, parallel);
  const { value: _value, ok: _ok, error: _error, ...figures } = run;
  const step_ms = seen.arrivals.slice(1).map((at, index) => at - seen.arrivals[index]);
  const { tools, sent_bytes } = seen;
  const serving_ms = seen.serving_ms / Math.max(1, seen.requests);
  const result = {
    workload,
    name,
    rounds,
    parallel,
    repeat,
    ok: errors.length === 0,
    errors,
    step_ms,
    ...figures,
    tools,
    sent_bytes,
    serving_ms,
  };
  settings.keep(result);
  say(logLine(result));
  return result;
}

/** The speed of a machine wanders within a minute, so a ratio takes the floor just before and just after. */
async function bracket(settings, one) {
  for (const name of settings.contenders.keys()) {
    if (name === 'floor' || settings.gaveUp.has(name)) continue;
    await one('floor');
    const result = await one(name);
    if (result.timed_out) settings.gaveUp.add(name);
  }
  await one('floor');
}

export async function runSequential(settings) {
  for (const rounds of [...settings.steps].sort((a, b) => a - b)) {
    for (let repeat = 1; repeat <= settings.repeats; repeat += 1) {
      await bracket(settings, (name) => measure(settings, 'w1', name, rounds, 1, repeat));
    }
  }
}

export async function runParallel(settings) {
  const { rounds, parallel, repeats } = settings;
  for (let repeat = 1; repeat <= repeats; repeat += 1) {
    await bracket(settings, (name) => measure(settings, 'w2', name, rounds, parallel, repeat));
  }
}
