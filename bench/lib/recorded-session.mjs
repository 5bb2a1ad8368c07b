import fs from 'node:fs';
import { openJournal } from '../out/harness.mjs';
import { dataFolder, valueOf } from './our-harness.mjs';
import { echoMessage } from './script.mjs';

const model = { provider: 'practice', name: 'practice' };
const stepsPerTurn = 20;
const names = {
  name: 'everything__echo',
  qualified_name: 'everything.echo',
  model_alias: 'everything__echo',
};
const facts = {
  classification: 'external',
  placement: 'host_process',
  presentation: 'plain',
  origin: { kind: 'mcp', server: 'everything' },
};

function createdEvent() {
  const coworker = {
    id: 'bench',
    name: 'Bench',
    tagline: '',
    icon: 'compass',
    version: '1.0.0',
    bundle_digest: 'b'.padEnd(64, '0'),
  };
  const data = { title: 'Bench', coworker, workspace: null, model, mode: 'ask', app_version: '0.0.0' };
  return { turn_id: null, type: 'session_created', data };
}

/** One attempt with one approved call: six events. */
function stepEvents(turn_id, attempt, number) {
  const call = { call_id: `c_${number}`, ...names };
  const args = { message: echoMessage(number, 0) };
  const event = (type, data) => ({ turn_id, type, data });
  const approval_id = `a_${number}`;
  const { name, qualified_name } = names;
  return [
    event('attempt_started', { attempt, model }),
    event('assistant_message', {
      message_id: `m_${number}`,
      attempt,
      text: '',
      reasoning: '',
      calls: [{ call_id: call.call_id, name, qualified_name, arguments: args }],
      finish_reason: 'tool_calls',
      usage: { input_tokens: 100, output_tokens: 20 },
      partial: false,
    }),
    event('approval_requested', {
      ...call,
      ...facts,
      approval_id,
      arguments: args,
      arguments_digest: 'd'.padEnd(64, '0'),
      pin: 'p'.padEnd(64, '0'),
      reason: 'not_read_only',
    }),
    event('approval_resolved', {
      approval_id,
      call_id: call.call_id,
      outcome: 'allowed',
      scope: 'once',
      note: '',
      by: 'person',
    }),
    event('tool_started', { ...call, ...facts, arguments: args, rule: { rule: 'asked_person' } }),
    event('tool_finished', {
      ...call,
      outcome: 'completed',
      duration_ms: 1.5,
      result: { text: `Echo: ${args.message}` },
      error: null,
      progress: [],
    }),
  ];
}

/** A whole turn; `room` is how many events it may have at most. */
function turnEvents(turn, room) {
  const turn_id = `t_${turn}`;
  const event = (type, data) => ({ turn_id, type, data });
  const begun = [
    event('message_submitted', { message_id: `u_${turn}`, text: 'go', attachments: [], mentions: [] }),
    event('turn_started', { model, sees_images: false, mode: 'ask', bundle_digest: 'b', tools: [] }),
  ];
  const steps = Math.max(0, Math.min(stepsPerTurn, Math.floor((room - 3) / 6)));
  const done = Array.from({ length: steps }, (_, step) =>
    stepEvents(turn_id, step + 1, turn * stepsPerTurn + step),
  );
  return [...begun, ...done.flat(), event('turn_finished', { outcome: 'completed', error: null })];
}

export const recordedId = 's_recorded';

/**
 * Writes a finished session of about `size` events (never more) into the data folder below `folder`. Answers how many
 * there are.
 */
export function recordSession({ folder, size }) {
  fs.mkdirSync(dataFolder(folder), { recursive: true });
  const journal = valueOf(openJournal({ folder: dataFolder(folder), now: Date.now }));
  let count = valueOf(journal.append(recordedId, [createdEvent()])).length;
  for (let turn = 0; size - count >= 9; turn += 1) {
    count += valueOf(journal.append(recordedId, turnEvents(turn, size - count))).length;
  }
  journal.close();
  return { count };
}
