import {
  openJournalReader,
  rowName,
  foldSessionEvents,
  emptySessionView,
  orderedRows,
  orderedTurns,
  rowState,
  type Result,
  type SessionView,
} from '../harness';
import { visible } from './terminal';

function lines(view: SessionView): string[] {
  const said: string[] = [
    `${view.title?.data ?? view.session_id} (${view.coworker?.name ?? 'unknown coworker'})`,
  ];
  for (const turn of orderedTurns(view)) {
    said.push('', `You: ${turn.submitted?.data.text ?? ''}`);
    const rows = orderedRows(turn);
    for (const attempt of turn.attempts) {
      if (attempt.failed)
        said.push(`  (attempt ${attempt.attempt} failed: ${attempt.failed.data.error.message})`);
      if (attempt.message?.data.text)
        said.push(`${view.coworker?.name ?? 'Coworker'}: ${attempt.message.data.text}`);
      for (const row of rows.filter((candidate) => candidate.position?.attempt === attempt.attempt)) {
        said.push(`  [${rowName(row)}: ${rowState(row, turn)}]`);
      }
    }
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
export function showSession(folder: string, id: string, json: boolean): Result<string> {
  const reader = openJournalReader(folder);
  if (!reader.ok) return reader;
  const events = reader.value.events(id);
  reader.value.close();
  if (!events.ok) return events;
  if (events.value.length === 0) {
    return {
      ok: false,
      error: {
        code: 'not_found',
        message: `There is no session ${id} in ${folder}. "openworker sessions list" names them.`,
      },
    };
  }
  if (json) return { ok: true, value: events.value.map((event) => `${JSON.stringify(event)}\n`).join('') };
  return {
    ok: true,
    value: `${visible(lines(foldSessionEvents(emptySessionView(id), events.value)).join('\n'))}\n`,
  };
}
