import {
  activeTurns,
  openJournalReader,
  rowName,
  foldSessionEvents,
  emptySessionView,
  orderedRows,
  orderedTurns,
  rowState,
  type CallRow,
  type Result,
  type SessionView,
  type TurnView,
} from '../harness';
import { findSession } from './resume-session';
import { visible } from './terminal';

function openingOf(turn: TurnView): string {
  if (turn.retried) return 'You went on from here.';
  if (turn.rerun) return 'You had a call run again.';
  return `You: ${turn.submitted?.data.text ?? ''}`;
}

/** Calls that stand with no response of the model: a person had them run again. */
function looseRows(turn: TurnView): CallRow[] {
  const numbers = new Set(turn.attempts.map((attempt) => attempt.attempt));
  return orderedRows(turn).filter((row) => row.position === null || !numbers.has(row.position.attempt));
}

function pauseLines(turn: TurnView): string[] {
  return turn.pauses.flatMap(({ started, ended }) => {
    if (!started) return [];
    const { kind, used, limit } = started.data;
    const answer = ended ? ended.data.outcome : 'waits for an answer';
    return [`  (limit of ${kind.replaceAll('_', ' ')}: ${used} of ${limit}; ${answer})`];
  });
}

function lines(view: SessionView): string[] {
  const said: string[] = [
    `${view.title?.data ?? view.session_id} (${view.coworker?.name ?? 'unknown coworker'})`,
  ];
  const shown = activeTurns(view);
  const hidden = orderedTurns(view).length - shown.length;
  if (hidden > 0) said.push(`(${hidden} more in other versions of this conversation; --json has all)`);
  for (const turn of shown) {
    said.push('', openingOf(turn));
    const rows = orderedRows(turn);
    const compacted = turn.compactions.map(({ data }) => data.attempt);
    const steered = (attempt: number): void => {
      for (const { data } of turn.steered) {
        if (data.attempt === attempt) said.push(`You, while it was working: ${data.text}`);
      }
    };
    for (const attempt of turn.attempts) {
      if (compacted.includes(attempt.attempt)) said.push('  (the older part was summarised for the model)');
      steered(attempt.attempt);
      if (attempt.failed)
        said.push(`  (attempt ${attempt.attempt} failed: ${attempt.failed.data.error.message})`);
      if (attempt.message?.data.text)
        said.push(`${view.coworker?.name ?? 'Coworker'}: ${attempt.message.data.text}`);
      for (const row of rows.filter((candidate) => candidate.position?.attempt === attempt.attempt)) {
        said.push(`  [${rowName(row)}: ${rowState(row, turn)}]`);
      }
    }
    for (const row of looseRows(turn)) said.push(`  [${rowName(row)}: ${rowState(row, turn)}]`);
    said.push(...pauseLines(turn));
    const end = turn.finished?.data;
    if (end && end.outcome !== 'completed')
      said.push(`  (turn ${end.outcome}${end.error ? `: ${end.error.message}` : ''})`);
  }
  return said;
}

/** `openworker sessions list`: newest first. Answers the text to print. */
export function listSessions(folder: string, json: boolean): Result<string> {
  const reader = openJournalReader(folder);
  if (!reader.ok && reader.error.code === 'not_found')
    return { ok: true, value: json ? '' : 'No sessions yet.\n' };
  if (!reader.ok) return reader;
  const summaries = reader.value.summaries();
  reader.value.close();
  if (!summaries.ok) return summaries;
  const sorted = [...summaries.value].sort((a, b) => (a.updated_at < b.updated_at ? 1 : -1));
  const text = json
    ? sorted.map((summary) => JSON.stringify(summary))
    : sorted.map(({ session_id, state, updated_at, coworker_name, title }) =>
        visible([session_id, updated_at, state, coworker_name, title].join('  ')),
      );
  return { ok: true, value: text.length > 0 ? `${text.join('\n')}\n` : json ? '' : 'No sessions yet.\n' };
}

/** `openworker sessions show`: the conversation, or with `json` its events, one a line. */
export function showSession(folder: string, given: string, json: boolean): Result<string> {
  const found = findSession(folder, given);
  if (!found.ok) return found;
  const reader = openJournalReader(folder);
  if (!reader.ok) return reader;
  const id = found.value.session_id;
  const events = reader.value.events(id);
  reader.value.close();
  if (!events.ok) return events;
  if (json) return { ok: true, value: events.value.map((event) => `${JSON.stringify(event)}\n`).join('') };
  return {
    ok: true,
    value: `${visible(lines(foldSessionEvents(emptySessionView(id), events.value)).join('\n'))}\n`,
  };
}
