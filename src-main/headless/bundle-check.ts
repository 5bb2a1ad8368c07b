import { createEnvironmentSecretResolver, inspectBundle, registerFilesTools, type Problem } from '../harness';
import { visible } from './terminal';
import { version } from './version';

function line(problem: Problem): string {
  const place = problem.line === undefined ? problem.file : `${problem.file}:${problem.line}`;
  const words = problem.message.startsWith(problem.file) ? problem.message : `${place}: ${problem.message}`;
  return visible(`${problem.severity}: ${words}`);
}

/** `openworker bundle check`: every problem of a bundle. Answers the text and the exit code: 1 if there is any. */
export async function checkBundleFolder(
  folder: string,
  servers: string | null,
  json: boolean,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly exit: number }> {
  const inspected = await inspectBundle({
    folder,
    serversFile: servers,
    registerNative: registerFilesTools,
    resolveSecret: createEnvironmentSecretResolver(env),
    env,
    appVersion: version,
    signal,
  });
  const problems: readonly Problem[] = inspected.ok
    ? inspected.value.problems
    : [{ ...inspected.error, file: folder, severity: 'error' }];
  const exit = problems.length > 0 ? 1 : 0;
  if (json) return { text: problems.map((problem) => `${JSON.stringify(problem)}\n`).join(''), exit };
  const name = inspected.ok ? inspected.value.name : folder;
  const text = problems.length > 0 ? problems.map(line).join('\n') : `${visible(name)}: no problems.`;
  const unchecked = inspected.ok ? inspected.value.unchecked : [];
  const note =
    unchecked.length === 0
      ? ''
      : visible(
          `Not checked: ${unchecked.join(', ')}. Name the servers with --servers FILE to check their tools too.\n`,
        );
  return { text: `${text}\n${note}`, exit };
}
