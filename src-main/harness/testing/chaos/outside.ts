import { appendFileSync, fsyncSync, openSync, readFileSync, closeSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { aliasOf } from '../../protocol';
import { startModelServer, type RecordedRequest, type ScriptedResponse } from '../model-server';
import { contextWords, isSummaryRequest, resultsOf, textOf, type Message } from './context-words';
import type { Effect, SentContext } from './history';
import { callIdOf, markerIn, summaryAnswer, turnOf, type Plan } from './plan';

/** The world outside the core: a model server and the witnesses of effects, each with its file. */
export interface Outside {
  readonly model_url: string;
  readonly effect_url: string;
  /** File in which tool servers testify. */
  readonly ledger_file: string;
  effects(): readonly Effect[];
  /** Process ids of tool servers that ever started, with their cores. */
  serverStarts(): readonly { readonly server: number; readonly core: number }[];
  modelRequests(): number;
  /** Contexts in the order in which they came. */
  readonly contexts: readonly SentContext[];
  /** Contexts that no model would take: a call without its result, a result without its call. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

function messagesOf(request: RecordedRequest): readonly Message[] {
  return (request.body?.['messages'] ?? []) as readonly Message[];
}

/** Every call has its one result right behind its response. */
export function contextFaults(messages: readonly Message[]): string[] {
  const faults: string[] = [];
  let open = new Set<string>();
  for (const message of messages) {
    if (message.role === 'tool') {
      const id = message.tool_call_id ?? '';
      if (!open.delete(id)) faults.push(`the model was sent a result of ${id} that answers no open call`);
      continue;
    }
    for (const id of open) faults.push(`the model was sent the call ${id} without its result`);
    open = new Set((message.tool_calls ?? []).map((call) => call.id));
  }
  for (const id of open) faults.push(`the model was sent the call ${id} without its result`);
  return faults;
}

/** Which turn the request belongs to, and how many answers of the model stand in it already. */
function placeOf(messages: readonly Message[]): { readonly marker: string; readonly step: number } | null {
  const last = messages.findLastIndex(
    (message) => message.role === 'user' && markerIn(textOf(message.content)) !== null,
  );
  const marker = last < 0 ? null : markerIn(textOf(messages[last]?.content));
  if (marker === null) return null;
  return { marker, step: messages.slice(last).filter((message) => message.role === 'assistant').length };
}

/** What a server remembers between requests: steps that failed once, and how often it gave each key. */
interface Memory {
  readonly failed: Set<string>;
  readonly given: Map<string, number>;
}

function freshKey({ given }: Memory, key: string): string {
  const times = given.get(key) ?? 0;
  given.set(key, times + 1);
  return times === 0 ? key : `${key}~${times}`;
}

const overflow = {
  error: { message: 'This is too long.', type: 'invalid_request_error', code: 'context_length_exceeded' },
};

function respond(plan: Plan, request: RecordedRequest, memory: Memory): ScriptedResponse {
  const messages = messagesOf(request);
  if (isSummaryRequest(messages)) return { answer: { text: [summaryAnswer] } };
  const place = placeOf(messages);
  const step = place && turnOf(plan, place.marker).steps[place.step];
  if (!place || !step) return { answer: { text: ['Nothing more to do.'] } };
  const name = `${place.marker}/${place.step}`;
  const failing = step.fault !== 'none' && !memory.failed.has(name);
  memory.failed.add(name);
  if (failing && step.fault === 'overloaded') {
    return { status: 503, headers: { 'retry-after-ms': '5' }, body: { error: { message: 'busy' } } };
  }
  if (failing && step.fault === 'overflow') return { status: 400, body: overflow };
  const calls = step.calls.map(({ key: planned, tool, delay_ms, ends }) => {
    const key = freshKey(memory, planned);
    return { id: callIdOf(key), name: aliasOf(tool), arguments: { key, delay_ms, ends } };
  });
  const answer = { text: step.text, ...(calls.length > 0 ? { calls } : {}) };
  return failing
    ? { answer, cut_after_bytes: 350, delay_ms: step.delay_ms }
    : { answer, delay_ms: step.delay_ms };
}

async function startEffectServer(file: string): Promise<{ url: string; close(): Promise<void> }> {
  const witness = openSync(file, 'a');
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { key, core, delay_ms } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
        key: string;
        core: number;
        delay_ms?: number;
      };
      writeSync(witness, `${JSON.stringify({ key, by: 'notes', core })}\n`);
      fsyncSync(witness);
      setTimeout(() => response.end('{}'), delay_ms ?? 0);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      closeSync(witness);
    },
  };
}

function linesOf(file: string): Record<string, unknown>[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

export async function openOutside(folder: string, plan: Plan): Promise<Outside> {
  const ledger_file = join(folder, 'ledger.jsonl');
  const notesFile = join(folder, 'notes.jsonl');
  for (const file of [ledger_file, notesFile]) appendFileSync(file, '');
  const requestFile = openSync(join(folder, 'model.jsonl'), 'a');
  const faults: string[] = [];
  const contexts: SentContext[] = [];
  const memory: Memory = { failed: new Set(), given: new Map() };
  const model = await startModelServer({ keys: [] });
  model.respondWith((request) => {
    const messages = messagesOf(request);
    writeSync(requestFile, `${JSON.stringify(placeOf(messages))}\n`);
    fsyncSync(requestFile);
    faults.push(...contextFaults(messages));
    contexts.push({
      marker: placeOf(messages)?.marker ?? '',
      words: contextWords(messages),
      results: resultsOf(messages),
      summary: isSummaryRequest(messages),
    });
    return respond(plan, request, memory);
  });
  const effects = await startEffectServer(notesFile);
  return {
    model_url: model.baseUrl('compatible'),
    effect_url: effects.url,
    ledger_file,
    effects: () =>
      [...linesOf(ledger_file), ...linesOf(notesFile)].filter((line) => 'key' in line) as unknown as Effect[],
    serverStarts: () =>
      linesOf(ledger_file)
        .filter((line) => 'start' in line)
        .map((line) => ({ server: Number(line['server']), core: Number(line['core']) })),
    modelRequests: () => model.asked().length,
    contexts,
    faults,
    async close() {
      await model.close();
      await effects.close();
      closeSync(requestFile);
    },
  };
}
