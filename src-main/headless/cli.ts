import { answerApproval } from './answer-approval';
import { listApprovals, showApproval } from './approvals';
import { readArguments, type Command } from './arguments';
import { checkBundleFolder } from './bundle-check';
import { dataFolder } from './data-folder';
import { listGrants, revokeGrant } from './grants';
import { resumeSession } from './resume-session';
import { run } from './run';
import { listSessions, showSession } from './sessions';
import { printFailure } from './turn-command';
import { usage } from './usage';
import { version } from './version';
import type { Result } from '../harness';

const streams = { in: process.stdin, out: process.stdout, err: process.stderr };

function printed(result: Result<string>): number {
  if (result.ok) process.stdout.write(result.value);
  else process.stderr.write(`${result.error.message}\n`);
  return result.ok ? 0 : 1;
}

/** The same for a command that prints one JSON document, also of a failure. */
function documented(result: Result<string>, json: boolean): number {
  return result.ok ? printed(result) : printFailure(result.error, json, streams);
}

type Reading = Extract<
  Command,
  { readonly data: string | null; readonly command: `${string} ${'list' | 'show' | 'revoke'}` }
>;

async function read(command: Reading): Promise<number> {
  const { env } = process;
  const { json } = command;
  const folder = dataFolder(command.data, env, process.platform);
  switch (command.command) {
    case 'sessions list':
      return printed(listSessions(folder, json));
    case 'sessions show':
      return printed(showSession(folder, command.id, json));
    case 'approvals list':
      return documented(listApprovals(folder, json), json);
    case 'approvals show':
      return documented(await showApproval(folder, command.id, json), json);
    case 'grants list':
      return documented(listGrants(folder, json), json);
    case 'grants revoke':
      return documented(await revokeGrant(folder, command.id, json, env, process.stderr), json);
  }
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
      return run(command, process.env, streams, signal);
    case 'sessions resume':
      return resumeSession(command, process.env, streams, signal);
    case 'approvals answer':
      return answerApproval(command, process.env, streams, signal);
    case 'bundle check': {
      const { folder, servers, json } = command;
      const checked = await checkBundleFolder(folder, servers, json, process.env, signal);
      process.stdout.write(checked.text);
      return checked.exit;
    }
    default:
      return read(command);
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
