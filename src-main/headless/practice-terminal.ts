import { isJsonObject, type Harness, type JsonObject, type PracticeAct } from '../harness';
import type { Terminal } from './terminal';

/** `call NAME {json}` or `say TEXT`; null for anything else. */
export function parsePracticeLine(line: string): PracticeAct | null {
  const said = /^say(?:\s+(.*))?$/s.exec(line.trim());
  if (said) return { type: 'reply', text: said[1] ?? '' };
  const called = /^call\s+(\S+)(?:\s+(.*))?$/s.exec(line.trim());
  if (!called) return null;
  try {
    const args: unknown = JSON.parse(called[2]?.trim() || '{}');
    if (!isJsonObject(args)) return null;
    return { type: 'call', name: (called[1] ?? '').replaceAll('.', '__'), arguments: args as JsonObject };
  } catch {
    return null;
  }
}

/** The person at the terminal plays the model for one request. An ended input ends the turn with an empty answer. */
export async function playModel(deps: {
  readonly terminal: Terminal;
  readonly harness: Harness;
  readonly session_id: string;
  readonly turn_id: string;
  readonly aliases: readonly string[];
  readonly signal: AbortSignal;
}): Promise<void> {
  const { terminal, harness, signal } = deps;
  terminal.say(`\nYou play the model (this is not an AI). Tools: ${deps.aliases.join(', ') || 'none'}\n`);
  for (;;) {
    const line = await terminal.ask('call NAME {arguments as JSON}, or say TEXT: ', signal);
    if (signal.aborted) return;
    const act = line === null ? ({ type: 'reply', text: '' } as const) : parsePracticeLine(line);
    if (act) {
      harness.practice(deps.session_id, deps.turn_id, act);
      return;
    }
    terminal.say('That is neither. Example: call files.list {"path":"."}\n');
  }
}
