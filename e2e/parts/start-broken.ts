import { spawn } from 'node:child_process';
import path from 'node:path';
import electron from 'electron';
import { until } from './openworker';

const root = path.join(import.meta.dirname, '..', '..');

/**
 * Starts the built app where it cannot start, with its error box answered at once, and waits for its end.
 * @returns exit code, and what the box and the log said
 */
export async function startBroken(
  profile: string,
): Promise<{ readonly code: number | null; readonly said: string }> {
  const asRoot = process.getuid?.() === 0;
  const child = spawn(
    electron as unknown as string,
    [
      ...(asRoot ? ['--no-sandbox'] : []),
      '-r',
      path.join(import.meta.dirname, 'answer-error-box.cjs'),
      `--user-data-dir=${profile}`,
      root,
    ],
    { cwd: root, env: { ...process.env, LANG: 'en_US.UTF-8', LANGUAGE: 'en' } },
  );
  let said = '';
  let code: number | null | undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  }
  child.once('exit', (ended) => (code = ended));
  await until(() => code !== undefined, 'the app ends').finally(() => child.kill('SIGKILL'));
  return { code: code ?? null, said };
}
