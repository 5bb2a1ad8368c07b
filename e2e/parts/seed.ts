import { openJournal } from '../../src-main/harness/journal';
import type { CallNames, NewSessionEvent, Outcome, SessionCreated } from '../../src-main/harness/protocol';

const day = 24 * 60 * 60 * 1000;
const model = { provider: 'practice', name: 'practice' };
const usage = { input_tokens: 1200, output_tokens: 340 };

export const longAnswer = [
  '# What I found in the folder',
  '',
  'The folder holds **214 files**. I sorted them by kind and by month.',
  '',
  '| Kind | Files | Oldest | Newest |',
  '|---|---:|---|---|',
  ...Array.from(
    { length: 40 },
    (_, index) =>
      `| Kind ${index + 1} | ${index * 7} | 2024-01-${(index % 28) + 1} | 2026-0${(index % 9) + 1}-11 |`,
  ),
  '',
  '```ts',
  'export function kindOf(name: string): string {',
  ...Array.from({ length: 60 }, (_, index) => `  if (name.endsWith('.k${index}')) return 'kind ${index}';`),
  "  return 'other';",
  '}',
  '```',
  '',
  '## In words',
  '',
  ...Array.from(
    { length: 150 },
    (_, index) => `${index + 1}. Item ${index + 1} belongs to *month ${index % 12}* and stays where it is.`,
  ),
  '',
  '> Nothing was deleted. Everything can be put back.',
  '',
  'More at https://example.com/guide and in the [notes](https://example.com/notes).',
].join('\n');

const outcomes: readonly Outcome[] = [
  'completed',
  'completed',
  'completed',
  'failed',
  'denied',
  'rejected',
  'cancelled',
  'cancelled_may_have_run',
  'outcome_unknown',
  'expired',
];

function created(title: string, workspace: string | null): NewSessionEvent {
  const data: SessionCreated = {
    title,
    coworker: {
      id: 'file-organizer',
      name: 'File Organizer',
      tagline: '',
      icon: 'folder',
      version: '1.0.0',
      bundle_digest: '38f64fa4'.padEnd(64, '0'),
    },
    workspace,
    model,
    mode: 'ask',
    app_version: '0.1.0',
  };
  return { turn_id: null, type: 'session_created', data };
}

function message(turn_id: string, text: string): NewSessionEvent {
  return {
    turn_id,
    type: 'message_submitted',
    data: { message_id: `m_${turn_id}`, text, attachments: [], mentions: [] },
  };
}

function callEvents(turn_id: string, index: number): NewSessionEvent[] {
  const outcome = outcomes[index % outcomes.length] ?? 'completed';
  const ran = !['denied', 'rejected', 'cancelled', 'expired'].includes(outcome);
  const names: CallNames = {
    call_id: `c${index}`,
    name: 'files__move_file',
    qualified_name: 'files.move_file',
    model_alias: 'files__move_file',
  };
  const args = {
    source: `a rather long name of a file number ${index}.pdf`,
    destination: `Documents/2026/${index}.pdf`,
  };
  const facts = {
    classification: 'write',
    placement: 'in_app',
    presentation: 'plain',
    origin: { kind: 'native' },
  } as const;
  const started: NewSessionEvent = {
    turn_id,
    type: 'tool_started',
    data: { ...names, ...facts, arguments: args, rule: { rule: 'asked_person' } },
  };
  const finished: NewSessionEvent = {
    turn_id,
    type: 'tool_finished',
    data: {
      ...names,
      outcome,
      duration_ms: ran ? 12 * (index + 1) : null,
      result:
        outcome === 'completed'
          ? { text: 'Moved.', structured: { moved: { from: args.source, to: args.destination } } }
          : null,
      error:
        outcome === 'completed'
          ? null
          : {
              code: outcome === 'failed' ? 'destination_exists' : outcome,
              message: `It ended as ${outcome}. Look at the folder, then decide.`,
            },
      progress: [],
    },
  };
  return ran ? [started, finished] : [finished];
}

/** A turn with a group of twenty parallel calls in every state, and an answer of more than 300 lines. */
function bigTurn(turn_id: string): NewSessionEvent[] {
  const calls = Array.from({ length: 20 }, (_, index) => ({
    call_id: `c${index}`,
    name: 'files__move_file',
    qualified_name: 'files.move_file',
    arguments: {
      source: `a rather long name of a file number ${index}.pdf`,
      destination: `Documents/2026/${index}.pdf`,
    },
  }));
  const said = (attempt: number, text: string, proposed: typeof calls): NewSessionEvent => ({
    turn_id,
    type: 'assistant_message',
    data: {
      message_id: `a_${turn_id}_${attempt}`,
      attempt,
      text,
      reasoning: '',
      calls: proposed,
      finish_reason: 'stop',
      usage,
      partial: false,
    },
  });
  return [
    message(
      turn_id,
      'Sort everything in Downloads by kind. Keep the installers from this week where they are.',
    ),
    {
      turn_id,
      type: 'turn_started',
      data: { model, sees_images: false, mode: 'ask', bundle_digest: 'b', tools: [] },
    },
    { turn_id, type: 'attempt_started', data: { attempt: 1, model } },
    said(1, 'I’ll look at what is there first, then propose the moves before anything changes.', calls),
    ...calls.flatMap((_call, index) => callEvents(turn_id, index)),
    { turn_id, type: 'attempt_started', data: { attempt: 2, model } },
    said(2, longAnswer, []),
    { turn_id, type: 'turn_finished', data: { outcome: 'completed', error: null } },
  ];
}

/** Writes 30 sessions of several days into a fresh profile; the newest holds the big turn. Answers its title. */
export function seedManySessions(profile: string, workspace: string): string {
  const now = Date.now();
  const big = 'Tidy the downloads folder';
  for (let index = 29; index >= 0; index -= 1) {
    const journal = openJournal({
      folder: profile,
      now: () => now - Math.floor(index / 4) * day - index * 60_000,
    });
    if (!journal.ok) throw new Error(journal.error.message);
    const title =
      index === 0
        ? big
        : `Session ${index} about ${index % 3 === 0 ? 'a matter whose title is much longer than the column is wide' : 'invoices'}`;
    const end = index % 5 === 1 ? 'failed' : index % 7 === 2 ? 'stopped' : 'completed';
    const turn = `t_${index}`;
    const events: NewSessionEvent[] =
      index === 0
        ? [created(title, workspace), ...bigTurn(turn)]
        : [
            created(title, workspace),
            message(turn, 'Hello'),
            {
              turn_id: turn,
              type: 'turn_finished',
              data: {
                outcome: end,
                error:
                  end === 'failed'
                    ? { code: 'model_overloaded', message: 'The provider is overloaded.' }
                    : null,
              },
            },
          ];
    const appended = journal.value.append(`s_${index}`, events);
    if (!appended.ok) throw new Error(appended.error.message);
    journal.value.close();
  }
  return big;
}
