import fs, { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  codeDigest,
  createEnvironmentSecretResolver,
  createMemorySecrets,
  emptySessionView,
  fail,
  foldSessionEvents,
  ok,
  openHarness,
  registerFilesTools,
  type CoworkerCard,
  type ExecutionIdentity,
  type Harness,
  type HarnessOptions,
  type ProviderKind,
  type Result,
  type StandingAnswer,
} from '../harness';
import type { RunParts } from './arguments';
import { visible } from './terminal';
import { version } from './version';

/** What a harness of the command line is opened with. */
export interface RunSource {
  readonly parts: Pick<RunParts, 'bundle' | 'servers' | 'guardrails' | 'baseUrl' | 'apiKeyEnv'>;
  readonly provider: ProviderKind;
  readonly standing: StandingAnswer;
  readonly env: NodeJS.ProcessEnv;
  readonly err: NodeJS.WritableStream;
}

/** The key that `--api-key-env` names; null without it. */
function keyOf({ apiKeyEnv }: RunSource['parts'], env: NodeJS.ProcessEnv): Result<string | null> {
  if (apiKeyEnv === null) return ok(null);
  const key = Object.hasOwn(env, apiKeyEnv) ? env[apiKeyEnv] : undefined;
  if (key !== undefined && key !== '') return ok(key);
  return fail(
    'model_unauthorized',
    `The environment variable ${apiKeyEnv} of --api-key-env is empty. Put the key into it.`,
  );
}

type FolderParts = Pick<RunParts, 'servers' | 'guardrails'>;

/** The same with what the data folder itself configures, where the command names no other: as the app reads it. */
export function configuredBy<P extends FolderParts>(folder: string, parts: P): P {
  const own = (name: string): string | null => {
    const file = join(folder, name);
    return existsSync(file) ? file : null;
  };
  return {
    ...parts,
    servers: parts.servers ?? own('servers.json'),
    guardrails: parts.guardrails ?? own('guardrails.json'),
  };
}

/** What every harness of the command line has; nothing in it runs a turn. */
function plainOptions(
  folder: string,
  env: NodeJS.ProcessEnv,
  err: NodeJS.WritableStream,
): Result<HarnessOptions> {
  const self = fileURLToPath(import.meta.url);
  const code = codeDigest(fs, { folder: dirname(self), files: [basename(self)] });
  if (!code.ok) return code;
  return ok({
    dataFolder: folder,
    codeDigest: code.value,
    toolImages: true,
    guardrailsFile: null,
    appVersion: version,
    libraryFolders: [],
    bundleFolders: [],
    serversFile: null,
    serversTrust: 'owner',
    registerNative: registerFilesTools,
    secrets: createMemorySecrets(),
    ownerProvider: null,
    resolveSecret: createEnvironmentSecretResolver(env),
    env,
    standing: 'ask',
    log: (line) => void err.write(`${visible(line)}\n`),
  });
}

/** A harness for what needs no coworker: permissions, for example. */
export async function openPlain(
  folder: string,
  env: NodeJS.ProcessEnv,
  err: NodeJS.WritableStream,
): Promise<Result<Harness>> {
  const options = plainOptions(folder, env, err);
  return options.ok ? openHarness(options.value) : options;
}

/** A harness that runs turns of one coworker with one provider. */
export async function openRun(
  { parts, provider, standing, env, err }: RunSource,
  folder: string,
): Promise<Result<Harness>> {
  const { bundle, servers, guardrails, baseUrl } = parts;
  if (servers !== null && !existsSync(servers)) {
    return fail('servers_invalid', `There is no file ${servers}. Correct --servers.`);
  }
  if (guardrails !== null && !existsSync(guardrails)) {
    return fail('invalid_input', `There is no file ${guardrails}. Correct --guardrails.`);
  }
  const key = keyOf(parts, env);
  if (!key.ok) return key;
  const plain = plainOptions(folder, env, err);
  if (!plain.ok) return plain;
  const opened = await openHarness({
    ...plain.value,
    guardrailsFile: guardrails === null ? null : resolve(guardrails),
    bundleFolders: [resolve(bundle)],
    serversFile: servers === null ? null : resolve(servers),
    // What the command line names is the owner's own; what the app keeps stays as a person accepted it there.
    serversTrust: servers === join(folder, 'servers.json') ? 'recorded' : 'owner',
    ownerProvider: { kind: provider, base_url: baseUrl, key: key.value },
    standing,
  });
  if (!opened.ok) return opened;
  const errors = opened.value.servers.problems.filter((problem) => problem.severity === 'error');
  if (errors.length > 0) {
    await opened.value.close();
    return fail('servers_invalid', errors.map((problem) => problem.message).join('\n'));
  }
  return opened;
}

/** The coworker that `--bundle` names. */
export async function coworkerOf(harness: Harness, bundle: string): Promise<Result<CoworkerCard>> {
  const [card] = await harness.coworkers.list();
  if (card) return ok(card);
  return fail('bundle_invalid', `${bundle} holds no coworker. It needs coworker/manifest.md.`);
}

async function identityIn(harness: Harness, source: RunSource): Promise<Result<ExecutionIdentity | null>> {
  const card = await coworkerOf(harness, source.parts.bundle);
  if (!card.ok) return card;
  const created = await harness.sessions.create({
    coworker_id: card.value.id,
    model: { provider: source.provider, name: source.provider },
    mode: 'ask',
    workspace: null,
  });
  const session = created.ok ? harness.sessions.get(created.value.session_id) : created;
  if (!session.ok) return session;
  let view = emptySessionView(session.value.session_id);
  const end = session.value.subscribe(0, ({ events }) => {
    view = foldSessionEvents(view, events);
  });
  end();
  return ok(view.identity);
}

/**
 * The execution identity that a session would get from these options, found out in a folder of its own: asking a session
 * itself would already end what waits in it where the two differ.
 */
export async function identityOfRun(source: RunSource): Promise<Result<ExecutionIdentity | null>> {
  const folder = mkdtempSync(join(tmpdir(), 'openworker-identity-'));
  try {
    const harness = await openRun(source, join(folder, 'data'));
    if (!harness.ok) return harness;
    try {
      return await identityIn(harness.value, source);
    } finally {
      await harness.value.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
