import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { openLibrary, type Library } from './bundles';
import { openLedger } from './approvals';
import { commandDesk, type CommandDesk } from './command-desk';
import { openCommandReader, withoutGrammar } from './commands';
import { approvalsFor } from './harness-approvals';
import { grantsFor } from './harness-grants';
import { serversFor, statusesOf } from './harness-servers';
import { openTools, providersOf, readSettings, settingsOf, type OpenedServers } from './harness-parts';
import { openGuardrails } from './open-guardrails';
import type { Harness, HarnessNotice, HarnessOptions, LatestImage } from './harness-port';
import { filesOf, sessionsOf, settleInterrupted } from './harness-sessions';
import { createImageStore, type ImageStore } from './images';
import { lockDataFolder, openJournal, type Journal } from './journal';
import {
  createOwnerProvider,
  createPracticeModel,
  type ModelProvider,
  type ProviderDirectory,
} from './model';
import { ok, type Result } from './protocol';
import type { IdKind, PermissionDeps, Session, SessionDeps } from './session';
import type { Registry } from './tools';
import { createSchemaCompiler } from './validation';

const idPrefix: Record<IdKind, string> = {
  session: 's',
  turn: 't',
  message: 'm',
  approval: 'a',
  grant: 'g',
  queued: 'q',
  call: 'c',
  pause: 'p',
  compaction: 'k',
  image: 'i',
};

function newId(kind: IdKind): string {
  return `${idPrefix[kind]}_${randomUUID()}`;
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

/** Runs the steps in order, the last opened first, and once. */
function closerOf(steps: readonly (() => void | Promise<void>)[]): () => Promise<void> {
  let closing: Promise<void> | null = null;
  const closeAll = async (): Promise<void> => {
    for (const step of steps) await step();
  };
  return () => (closing ??= closeAll());
}

function createNotices(log: (line: string) => void) {
  const listeners = new Set<(notice: HarnessNotice) => void>();
  return {
    notify(notice: HarnessNotice): void {
      for (const listener of listeners) {
        try {
          listener(notice);
        } catch {
          // What was committed stays committed, whoever fails to hear of it.
          log(`A listener failed at the notice ${notice.type}.`);
        }
      }
    },
    listen(listener: (notice: HarnessNotice) => void): () => void {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    clear: () => listeners.clear(),
  };
}

function libraryOf({ bundleFolders, libraryFolders }: HarnessOptions): Library {
  return openLibrary({
    folders: [
      ...bundleFolders.map((path) => ({ path, source: 'folder' as const, holds: 'bundle' as const })),
      ...libraryFolders.map(({ folder, source }) => ({ path: folder, source, holds: 'bundles' as const })),
    ],
  });
}

function imagesOf(notify: (notice: HarnessNotice) => void): ImageStore {
  const store = createImageStore({ clock: () => performance.now(), newId: () => newId('image') });
  store.onChanged(({ session_id }) => notify({ type: 'image_changed', session_id }));
  return store;
}

function latestImage(images: ImageStore, sessionId: string): LatestImage | null {
  const latest = images.latest(sessionId);
  if (!latest) return null;
  const { reference, source, remaining_ms } = latest;
  return { reference, ...source, remaining_ms };
}

/** The one provider of the run's owner where a session names it, else the configured one. */
function chooserOf(
  { ownerProvider, env }: HarnessOptions,
  providers: ProviderDirectory,
  practice: ModelProvider,
): Result<SessionDeps['provider']> {
  const owner = ownerProvider && createOwnerProvider(ownerProvider, env, practice);
  if (owner && !owner.ok) return owner;
  return ok((choice) => {
    if (owner && choice.provider === ownerProvider.kind) return owner;
    const found = providers.get(choice);
    return found.ok ? ok(found.value.provider) : found;
  });
}

async function closeAll(sessions: Iterable<Session>): Promise<void> {
  await Promise.all([...sessions].map((session) => session.close()));
}

function imagesFor(images: ImageStore): Harness['images'] {
  return {
    latest: (sessionId) => latestImage(images, sessionId),
    bytes: (sessionId, imageId) => images.bytes(sessionId, imageId),
  };
}

/** What sessions need of the runtime around them, beside journal and registry. */
function ambient(): Pick<SessionDeps, 'schemas' | 'clock' | 'newId' | 'sleep'> {
  return { schemas: createSchemaCompiler(), clock: () => performance.now(), newId, sleep };
}

/** What decides over calls beside the journal and the registry. */
function permissionsFor(
  journal: Journal,
  commands: CommandDesk,
  settings: Harness['settings'],
  notify: (notice: HarnessNotice) => void,
): Result<PermissionDeps> {
  const ledger = openLedger({ journal, now: Date.now });
  if (!ledger.ok) return ledger;
  ledger.value.onChanged(() => notify({ type: 'grants_changed' }));
  const expiryMs = (): number | null => {
    const minutes = settings.get()['approval_expiry_minutes'];
    return typeof minutes === 'number' && minutes > 0 ? minutes * 60_000 : null;
  };
  return ok({ ledger: ledger.value, command: commands.facts, expiryMs, wallClock: Date.now });
}

/** One reader of commands for policy, suggestions and what a person is shown. */
/** The grammar takes time and memory at every start, so it is loaded for a host that registered tools which run commands. */
async function openCommands({ log }: HarnessOptions, registry: Registry): Promise<CommandDesk> {
  const tools = [...registry.native.values(), ...registry.callbacks.values()];
  if (!tools.some(({ presentation }) => presentation === 'command')) return commandDesk(withoutGrammar());
  const reader = await openCommandReader();
  if (reader.problem !== null) log(`Commands cannot be read here, so each is asked about: ${reader.problem}`);
  return commandDesk(reader);
}

function hostFacts({
  toolImages,
  codeDigest,
  log,
  standing,
}: HarnessOptions): Pick<SessionDeps, 'forwardsImages' | 'codeDigest' | 'log' | 'standing'> {
  return { forwardsImages: toolImages, codeDigest, log, standing };
}

/** Tells of each change; answers how to tell of one more. */
function followServers(hosted: OpenedServers, notify: (notice: HarnessNotice) => void): () => void {
  const tell = (): void => notify({ type: 'servers_changed', servers: statusesOf(hosted) });
  hosted.servers.onChanged(tell);
  return tell;
}

async function assemble(
  options: HarnessOptions,
  journal: Journal,
  release: () => void,
): Promise<Result<Harness>> {
  const notices = createNotices(options.log);
  const { notify } = notices;
  const stored = readSettings(journal);
  if (!stored.ok) return stored;
  const tools = await openTools(options, journal);
  if (!tools.ok) return tools;
  const { registry, hosted } = tools.value;
  const serversChanged = followServers(hosted, notify);
  const settings = settingsOf(journal, stored.value, notify);
  const practice = createPracticeModel();
  const providers = providersOf(options, settings, practice.provider, notify);
  const provider = chooserOf(options, providers, practice.provider);
  if (!provider.ok) return provider;
  const library = libraryOf(options);
  const commands = await openCommands(options, registry);
  const permissions = permissionsFor(journal, commands, settings, notify);
  if (!permissions.ok) return permissions;
  const { ledger, command } = permissions.value;
  const guards = openGuardrails(options);
  if (!guards.ok) return guards;
  const images = imagesOf(notify);
  const sessionDeps: SessionDeps = {
    ...ambient(),
    ...guards.value,
    ...permissions.value,
    images,
    ...hostFacts(options),
    journal,
    registry,
    bundle: (id) => library.get(id),
    provider: provider.value,
    onSummary: (summary) => notify({ type: 'session_changed', summary }),
  };
  const open = new Map<string, Session>();
  const closers = [() => images.close(), () => hosted.servers.close(), () => notices.clear()];
  const sessions = sessionsOf({ options, journal, library, sessionDeps, open, notify });
  settleInterrupted(sessions, options.log);
  return ok({
    sessions,
    images: imagesFor(images),
    journal: { problems: journal.problems, acceptLoss: () => journal.acceptLoss() },
    capabilities: options.toolImages ? ['application_tool_images'] : [],
    coworkers: { list: async () => (await library.list()).map((entry) => entry.card) },
    approvals: approvalsFor({ journal, commands, session: sessions.get }),
    grants: grantsFor({ journal, ledger, command, session: sessions.get }),
    providers,
    servers: serversFor(hosted, ledger, options.serversFile, serversChanged),
    filesOf,
    settings,
    practice: (sessionId, turnId, act) => practice.act(sessionId, turnId, act),
    listen: (listener) => notices.listen(listener),
    close: closerOf([() => closeAll(open.values()), ...closers, release]),
  });
}

/**
 * Opens the runtime on a data folder. Failures: `data_folder_in_use` when another process has it, `journal_unavailable`
 * and `journal_full`, and those of the registry when the host's own registrations conflict.
 */
export async function openHarness(options: HarnessOptions): Promise<Result<Harness>> {
  const lock = lockDataFolder(options.dataFolder);
  if (!lock.ok) return lock;
  const journal = openJournal({ folder: options.dataFolder, now: Date.now });
  if (!journal.ok) {
    lock.value.close();
    return journal;
  }
  const release = (): void => {
    journal.value.close();
    lock.value.close();
  };
  const harness = await assemble(options, journal.value, release);
  if (!harness.ok) release();
  return harness;
}
