import { readArguments, usage, type Command } from './arguments';
import { checkBundleFolder } from './bundle-check';
import { dataFolder } from './data-folder';
import { run } from './run';
import { listSessions, showSession } from './sessions';
import { version } from './version';
import type { Result } from '../harness';

function printed(result: Result<string>): number {
  if (result.ok) process.stdout.write(result.value);
  else process.stderr.write(`${result.error.message}\n`);
  return result.ok ? 0 : 1;
}

async function execute(command: Command, signal: AbortSignal): Promise<number> {
  switch (command.command) {
    case 'help':
      process.stdout.write(usage);
      return 0;
    case 'version':
      process.stdout.write(`${version}\n`);
      return 0;
    case 'run':
      return run(
        command,
        process.env,
        { in: process.stdin, out: process.stdout, err: process.stderr },
        signal,
      );
    case 'bundle check': {
      const checked = await checkBundleFolder(
        command.folder,
        command.servers,
        command.json,
        process.env,
        signal,
      );
      process.stdout.write(checked.text);
      return checked.exit;
    }
    case 'sessions list':
      return printed(listSessions(dataFolder(command.data, process.env, process.platform), command.json));
    case 'sessions show':
      return printed(
        showSession(dataFolder(command.data, process.env, process.platform), command.id, command.json),
      );
  }
}

/**
 * The first interrupt stops what runs, truthfully recorded; a second one ends the program at once. Output that nobody
 * reads any more counts as an interrupt: a run must not go on unseen.
 */
function stopOnInterrupt(): AbortSignal {
  const stop = new AbortController();
  const interrupt = (): void => {
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE')
      process.stderr.write(
        `The output cannot be written (${error.code ?? error.message}); the run was stopped.\n`,
      );
    stop.abort();
  });
  // Without a reader there is nobody to tell; the exit code and the journal say how it ended.
  process.stderr.on('error', () => undefined);
  return stop.signal;
}

async function main(argv: readonly string[]): Promise<number> {
  const command = readArguments(argv);
  if (!command.ok) {
    process.stderr.write(`${command.error.message}\n`);
    return 2;
  }
  return execute(command.value, stopOnInterrupt());
}

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
  // Whatever a library may have left open must not keep a finished command alive.
  setTimeout(() => process.exit(code), 1_000).unref();
});
