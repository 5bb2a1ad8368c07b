import type { SessionEvent } from '../../protocol';
import { spokenWords } from './context-words';
import type { Remains } from './history';

interface Item {
  readonly seq: number;
  readonly words: readonly string[];
  /** Calls whose results stand right behind it. */
  readonly calls: readonly string[];
  readonly assistant: boolean;
}

/** A conversation as the events of one branch tell it, written down apart from the app's own way. */
interface Telling {
  items: Item[];
  readonly done: Set<string>;
  readonly reruns: Set<string>;
  request: { readonly seq: number; readonly text: string } | null;
}

const item = (seq: number, words: readonly string[]): Item => ({ seq, words, calls: [], assistant: false });

function compacted(into: Telling, data: Extract<SessionEvent, { type: 'context_compacted' }>['data']): void {
  const to = data.summarised_to_seq;
  const kept = into.items.filter(({ seq }) => seq > to);
  if (kept.length === into.items.length) return;
  const dropped = into.request && into.request.seq <= to ? spokenWords(into.request.text) : [];
  into.items = [item(to, ['summary', ...spokenWords(data.summary), ...dropped]), ...kept];
}

function tell(into: Telling, event: SessionEvent): void {
  const { seq } = event;
  switch (event.type) {
    case 'message_submitted':
    case 'message_steered':
      into.request = { seq, text: event.data.text };
      into.items.push(item(seq, spokenWords(event.data.text)));
      return;
    case 'turn_retried': {
      const last = into.items.at(-1);
      if (last?.assistant && last.calls.length === 0) into.items.push(item(seq, ['go_on']));
      return;
    }
    case 'call_rerun':
      into.reruns.add(event.data.call.call_id);
      return;
    case 'assistant_message': {
      const { text, calls } = event.data;
      if (text === '' && calls.length === 0) return;
      const ids = calls.map(({ call_id }) => call_id);
      const words = [...(text === '' ? [] : [`said:${text}`]), ...ids.map((id) => `call:${id}`)];
      into.items.push({ seq, words, calls: ids, assistant: true });
      return;
    }
    case 'tool_finished':
      into.done.add(event.data.call_id);
      if (into.reruns.has(event.data.call_id)) into.items.push(item(seq, ['rerun']));
      return;
    case 'call_settled':
      if (event.data.settlement === 'run_again') return;
      into.items.push(item(seq, [`settled:${event.data.call_id}`]));
      return;
    case 'context_compacted':
      compacted(into, event.data);
      return;
    default:
      return;
  }
}

/** Null while a call has no result: no request may go out then. */
function wordsOf({ items, done }: Telling): string[] | null {
  if (items.some(({ calls }) => calls.some((call) => !done.has(call)))) return null;
  return items.flatMap(({ words, calls }) => [...words, ...calls.map((call) => `result:${call}`)]);
}

type Followed = string | null | undefined;

function followedOf(event: SessionEvent): Followed {
  const opening = ['message_submitted', 'turn_retried', 'call_rerun'].includes(event.type);
  return opening ? (event.data as { follows?: string | null }).follows : undefined;
}

/** The turn that each turn follows. */
function parentsOf(events: readonly SessionEvent[]): Map<string, string | null> {
  const parents = new Map<string, string | null>();
  for (const event of events) {
    const follows = followedOf(event);
    if (event.turn_id !== null && follows !== undefined) parents.set(event.turn_id, follows);
  }
  return parents;
}

function pathOf(parents: ReadonlyMap<string, string | null>, turnId: string): Set<string> {
  const path = new Set<string>();
  for (let id: string | null = turnId; id !== null && !path.has(id); id = parents.get(id) ?? null)
    path.add(id);
  return path;
}

const end = '\u0000';
const joined = (words: readonly string[]): string => words.map((word) => `${word}${end}`).join('');

/** Every context that is the active branch at some moment of a turn. */
export function legalContexts(events: readonly SessionEvent[]): Set<string> {
  const parents = parentsOf(events);
  const legal = new Set<string>();
  for (const turnId of parents.keys()) {
    const path = pathOf(parents, turnId);
    const telling: Telling = { items: [], done: new Set(), reruns: new Set(), request: null };
    for (const event of events) {
      if (event.turn_id === null || !path.has(event.turn_id)) continue;
      tell(telling, event);
      if (event.turn_id !== turnId) continue;
      const words = wordsOf(telling);
      if (words) legal.add(joined(words));
      if (event.type === 'turn_finished') break;
    }
  }
  return legal;
}

/** A turn follows the end of the branch that was looked at; another version of a turn stands beside it. */
function checkTree(sessionId: string, events: readonly SessionEvent[]): string[] {
  const parents = new Map<string, string | null>();
  const retried = new Map<string, string>();
  let head: string | null = null;
  return events.flatMap((event) => {
    if (event.type === 'branch_selected') head = event.data.turn_id;
    const follows = followedOf(event);
    if (event.turn_id === null || follows === undefined) return [];
    let expected: string | null = head;
    if (event.type === 'message_submitted' && event.data.branch) {
      let of = event.data.branch.of;
      for (let from = retried.get(of); from !== undefined; from = retried.get(of)) of = from;
      expected = parents.get(of) ?? null;
    }
    if (event.type === 'turn_retried') retried.set(event.turn_id, event.data.follows);
    parents.set(event.turn_id, follows);
    head = event.turn_id;
    return follows === expected
      ? []
      : [`${event.turn_id} of ${sessionId} follows ${follows} in place of ${expected}`];
  });
}

function resultTexts(events: readonly SessionEvent[]): Map<string, string> {
  return new Map(
    events.flatMap((event) =>
      event.type === 'tool_finished' && event.data.outcome === 'completed'
        ? [[event.data.call_id, event.data.result?.text ?? ''] as const]
        : [],
    ),
  );
}

/**
 * What the model server was sent is the active branch at that moment, whole: each call with its result, nothing of
 * another branch, no text that broke off.
 */
export function checkContexts({ sessions, contexts }: Remains): string[] {
  const wrong: string[] = [];
  const legal = new Set<string>();
  const results = new Map<string, string>();
  for (const [sessionId, events] of sessions) {
    wrong.push(...checkTree(sessionId, events));
    for (const context of legalContexts(events)) legal.add(context);
    for (const [id, text] of resultTexts(events)) results.set(id, text);
  }
  for (const { marker, words, results: sent, summary } of contexts) {
    const context = joined(words);
    const known = summary ? [...legal].some((whole) => whole.startsWith(context)) : legal.has(context);
    if (!known) wrong.push(`${marker}: the model was sent what is no branch: ${words.join(' | ')}`);
    for (const [id, text] of sent) {
      if (!text.includes(results.get(id) ?? ''))
        wrong.push(`the model was sent another result of ${id}: ${text}`);
    }
  }
  return wrong;
}
