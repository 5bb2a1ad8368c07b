import { fork } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** When a process began, in clock ticks: with it an id is never mistaken for a later process of the same id. */
function beginningOf(pid) {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return null;
  }
}

function childrenOf(pid) {
  try {
    return fs
      .readdirSync(`/proc/${pid}/task`)
      .flatMap((task) => fs.readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(/\s+/))
      .filter((id) => id !== '')
      .map(Number);
  } catch {
    return [];
  }
}

function descendantsOf(pid) {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** Remembers what a process starts, and ends by id what is left of it. Elsewhere than on Linux it knows the process alone. */
function watchTree(pid) {
  const seen = new Map();
  const look = () => {
    for (const id of descendantsOf(pid)) if (!seen.has(id)) seen.set(id, beginningOf(id));
  };
  const timer = setInterval(look, 500);
  return {
    look,
    end() {
      clearInterval(timer);
      kill(pid);
      for (const [id, began] of seen) if (began !== null && beginningOf(id) === began) kill(id);
    },
  };
}

const environment = {
  ...process.env,
  NODE_ENV: 'production',
  NODE_NO_WARNINGS: '1',
  OPENAI_API_KEY: 'unused',
  OPENAI_AGENTS_DISABLE_TRACING: '1',
  LANGSMITH_TRACING: 'false',
  LANGCHAIN_TRACING_V2: 'false',
  OTEL_SDK_DISABLED: 'true',
};

/**
 * Runs one job of `child.mjs` in a fresh process and answers its report, `{ ok, ... }`. It ends when the time is over,
 * and with it whatever it had started.
 */
export function runJob(job, { timeout_ms, log, nodeArgs = [] }) {
  return new Promise((resolve) => {
    fs.mkdirSync(path.dirname(log), { recursive: true });
    const output = fs.openSync(log, 'w');
    const child = fork(path.join(import.meta.dirname, '..', 'child.mjs'), [JSON.stringify(job)], {
      env: environment,
      stdio: ['ignore', output, output, 'ipc'],
      execArgv: ['--max-old-space-size=8192', ...nodeArgs],
    });
    const tree = watchTree(child.pid);
    let report = null;
    const timer = setTimeout(() => {
      report ??= { ok: false, timed_out: true, error: `no end within ${timeout_ms / 1000} s` };
      tree.look();
      tree.end();
    }, timeout_ms);
    child.on('message', (message) => {
      report ??= message;
      tree.look();
    });
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      tree.end();
      fs.closeSync(output);
      resolve(report ?? { ok: false, error: `ended with ${signal ?? code} before its report; see ${log}` });
    });
  });
}
