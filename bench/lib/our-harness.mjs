import fs from 'node:fs';
import path from 'node:path';
import { createMemorySecrets, ok, openHarness } from '../out/harness.mjs';

export function valueOf(result) {
  if (result.ok) return result.value;
  throw new Error(`${result.error.code}: ${result.error.message}`);
}

/** The coworker gets every tool of the server, as the other contenders offer them all. */
const toolNames = [
  'echo',
  'get-annotated-message',
  'get-env',
  'get-resource-links',
  'get-resource-reference',
  'get-structured-content',
  'get-sum',
  'get-tiny-image',
  'gzip-file-as-resource',
  'toggle-simulated-logging',
  'toggle-subscriber-updates',
  'trigger-long-running-operation',
];

const manifest = `---
id: bench
name: Bench
tagline: Repeats what it is told
description: Calls the echo tool.
icon: compass
version: 1.0.0
---

You repeat what you are told.
`;

function writeJson(file, value) {
  fs.writeFileSync(file, JSON.stringify(value, null, 2));
}

/** What a person would have: a coworker, a server and an empty data folder. */
function furnish(folder, server) {
  const coworker = path.join(folder, 'bench', 'coworker');
  fs.mkdirSync(coworker, { recursive: true });
  fs.writeFileSync(path.join(coworker, 'manifest.md'), manifest);
  writeJson(path.join(coworker, 'tools.json'), {
    version: 3,
    tools: toolNames.map((name) => `everything.${name}`),
  });
  const { command: program, args } = server;
  const servers = { everything: { transport: 'stdio', program, args } };
  writeJson(path.join(folder, 'servers.json'), { version: 1, servers });
}

export const dataFolder = (folder) => path.join(folder, 'data');

/** The harness on the data folder below `folder`, with no server and a model that nobody asks unless they are given. */
export async function openOurs({ folder, server = null, model = null }) {
  if (server) furnish(folder, server);
  return valueOf(
    await openHarness({
      dataFolder: dataFolder(folder),
      appVersion: '0.0.0',
      libraryFolders: [],
      bundleFolders: server ? [path.join(folder, 'bench')] : [],
      serversTrust: 'owner',
      serversFile: server ? path.join(folder, 'servers.json') : null,
      registerNative: () => ok(null),
      secrets: createMemorySecrets(),
      ownerProvider: model && { kind: model.kind, base_url: model.url, key: 'unused' },
      resolveSecret: () => null,
      env: process.env,
      codeDigest: null,
      toolImages: false,
      guardrailsFile: null,
      standing: 'once',
      log: (line) => console.error(line),
    }),
  );
}

/** Watches a recorded session until each of its `count` events has come, in whatever order; `onPush` sees every push. */
export function watchWhole(session, count, onPush = () => undefined) {
  const seen = new Uint8Array(count + 1);
  let missing = count;
  return new Promise((resolve) => {
    session.subscribe(0, ({ events }) => {
      onPush(events);
      for (const { seq } of events) {
        if (seq > count || seen[seq] === 1) continue;
        seen[seq] = 1;
        missing -= 1;
      }
      if (missing === 0) resolve();
    });
  });
}

/** Counts what happens in a session, from its events. */
function count(session) {
  const counts = { approvals: 0, toolCalls: 0, finalText: '', events: 0 };
  session.subscribe(0, ({ events }) => {
    for (const { type, data } of events) {
      counts.events += 1;
      if (type === 'approval_resolved' && data.outcome === 'allowed') counts.approvals += 1;
      if (type === 'tool_finished' && data.outcome === 'completed') counts.toolCalls += 1;
      if (type === 'assistant_message') counts.finalText = data.text;
    }
  });
  return counts;
}

/**
 * A new session of the coworker. `toEnd` sends the message, and another one whenever a turn has reached the bound on
 * its requests, until the model has nothing more to call.
 */
export async function openConversation(harness, kind) {
  const [card] = await harness.coworkers.list();
  const created = await harness.sessions.create({
    coworker_id: card.id,
    model: { provider: kind, name: 'bench-1' },
    mode: 'ask',
    workspace: null,
  });
  const session = valueOf(harness.sessions.get(valueOf(created).session_id));
  const counts = count(session);
  return {
    session,
    counts,
    async toEnd() {
      for (;;) {
        const { done } = valueOf(session.submit({ text: 'go', files: [], mentions: [] }));
        const { outcome, error } = await done;
        if (outcome === 'completed') return;
        if (error?.code !== 'limit_reached')
          throw new Error(`The turn ended as ${outcome}: ${error?.message}`);
      }
    },
  };
}

export async function converse({ modelUrl, folder, server }, kind) {
  const harness = await openOurs({ folder, server, model: { kind, url: modelUrl } });
  const { counts, toEnd } = await openConversation(harness, kind);
  await toEnd();
  await harness.close();
  return counts;
}
