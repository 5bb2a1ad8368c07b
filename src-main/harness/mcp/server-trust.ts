import type { Journal } from '../journal';
import { fail, failure, ok, type Failure, type JsonObject, type Result, type ServerTrust } from '../protocol';
import { definitionChanges } from '../tools/definition-changes';
import { canonicalDigest } from '../validation/canonical-json';
import type { ServerConfig } from './config/server-config';
import { namedScripts, type ScriptReader } from './launch/named-scripts';
import { originOf } from './remote-catalog';

/** Which servers a person lets start, each for exactly one launch (hazard 16). It stands in the app's own stream. */
export interface TrustBook {
  of(config: ServerConfig): ServerTrust;
  /** Why the server may not be started, or null. */
  refusal(config: ServerConfig): Failure | null;
  /** The person accepts what they were shown. `stale_answer` where the server is another by now. */
  accept(config: ServerConfig, digest: string): Result<null>;
}

export interface TrustDeps {
  readonly journal: Journal;
  readonly platform: NodeJS.Platform;
  readonly reader?: ScriptReader;
}

/** All that a trusted launch is: what starts, with what, where, and the scripts that it names. */
export function launchFacts(
  config: ServerConfig,
  platform: NodeJS.Platform,
  reader?: ScriptReader,
): JsonObject {
  const { kind: _kind, ...origin } = originOf(config);
  if (config.transport !== 'stdio') return origin;
  const scripts = namedScripts(config, platform, reader);
  return Object.keys(scripts).length === 0 ? origin : { ...origin, scripts };
}

const untrustedWords: Readonly<Record<'new' | 'changed', string>> = {
  new: 'is new here and has not been started',
  changed: 'is not the one that you accepted, so it was not started',
};

/**
 * Opens the record. What is configured when a data folder is opened for the first time counts as the owner's own and is
 * accepted as it stands; everything that comes or changes later waits for a person.
 */
export function openTrust(
  { journal, platform, reader }: TrustDeps,
  configured: readonly ServerConfig[],
): Result<TrustBook> {
  const events = journal.readApp();
  if (!events.ok) return events;
  const accepted = new Map<string, JsonObject>();
  let began = false;
  for (const event of events.value) {
    if (event.type !== 'server_trusted') continue;
    began = true;
    if (event.data.name !== null) accepted.set(event.data.name, event.data.facts);
  }
  const record = (name: string | null, facts: JsonObject, by: 'person' | 'first_start'): Result<null> => {
    const appended = journal.appendApp('server_trusted', { name, facts, by });
    if (!appended.ok) return appended;
    if (name !== null) accepted.set(name, facts);
    return ok(null);
  };
  const factsOf = (config: ServerConfig): JsonObject => launchFacts(config, platform, reader);
  if (!began) {
    const first = [record(null, {}, 'first_start')];
    for (const config of configured) first.push(record(config.name, factsOf(config), 'first_start'));
    const failed = first.find((one) => !one.ok);
    if (failed) return failed as Result<never>;
  }
  const of: TrustBook['of'] = (config) => {
    const facts = factsOf(config);
    const digest = canonicalDigest(facts);
    const former = accepted.get(config.name);
    if (!former) return { state: 'new', digest, facts, changes: [] };
    const changes = definitionChanges(former, facts);
    return { state: changes.length === 0 ? 'trusted' : 'changed', digest, facts, changes };
  };
  return ok({
    of,
    refusal(config) {
      const { state } = of(config);
      if (state === 'trusted') return null;
      const words = `Server "${config.name}" ${untrustedWords[state]}. Look at its full command or address on the page Servers and accept it there.`;
      return failure('server_untrusted', words, { server: config.name });
    },
    accept(config, digest) {
      const now = of(config);
      if (now.digest === digest) return record(config.name, now.facts, 'person');
      const words = `Server "${config.name}" is not what was shown any more, so it was not accepted. Look at it again.`;
      return fail('stale_answer', words, { server: config.name });
    },
  });
}
