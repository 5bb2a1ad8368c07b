import type { FoldItem, NewSessionEvent, SessionEvent, SessionEventOf, Signal } from '../protocol';

const at = '2026-01-01T00:00:00.000Z';

export function numbered(events: readonly NewSessionEvent[], sessionId = 's_1', from = 1): SessionEvent[] {
  return events.map(
    (event, index) =>
      ({ ...event, seq: from + index, session_id: sessionId, version: 1, at }) as SessionEvent,
  );
}

export function toItems(events: readonly SessionEvent[]): FoldItem[] {
  return events.map((event) => ({ kind: 'event', event }));
}

const names = (call_id: string) => ({
  call_id,
  name: 'files__move_file',
  qualified_name: 'files.move_file',
  model_alias: 'files__move_file',
});
const facts = {
  classification: 'write',
  placement: 'in_app',
  presentation: 'plain',
  origin: { kind: 'native' },
} as const;
const args = { source: 'a', destination: 'b' };

function requestOf(call_id: string): Extract<NewSessionEvent, { type: 'approval_requested' }>['data'] {
  return {
    ...names(call_id),
    ...facts,
    approval_id: `a_${call_id}`,
    arguments: args,
    arguments_digest: 'd'.repeat(64),
    pin: 'p',
    reason: 'not_read_only',
  };
}

/** The events of one approved call, each usable alone. */
export function approvedCall(
  call_id: string,
  turn_id = 't_1',
): {
  requested: SessionEventOf<'approval_requested'>;
  started: SessionEventOf<'tool_started'>;
  finished: SessionEventOf<'tool_finished'>;
} {
  const base = { session_id: 's_1', turn_id, version: 1, at };
  const order = Number(call_id.replace(/\D/g, '')) * 3;
  return {
    requested: { ...base, seq: order, type: 'approval_requested', data: requestOf(call_id) },
    started: {
      ...base,
      seq: order + 1,
      type: 'tool_started',
      data: { ...names(call_id), ...facts, arguments: args, rule: { rule: 'asked_person' } },
    },
    finished: {
      ...base,
      seq: order + 2,
      type: 'tool_finished',
      data: {
        ...names(call_id),
        outcome: 'completed',
        duration_ms: 3,
        result: { text: 'moved' },
        error: null,
        progress: [],
      },
    },
  };
}

function callEvents(turn_id: string, call_id: string): NewSessionEvent[] {
  const { requested, started, finished } = approvedCall(call_id, turn_id);
  const progress = [{ index: 0, message: 'half', fraction: 0.5 }];
  return [
    { turn_id, type: 'approval_requested', data: requested.data },
    {
      turn_id,
      type: 'approval_resolved',
      data: {
        approval_id: `a_${call_id}`,
        call_id,
        outcome: 'allowed',
        scope: 'once',
        note: '',
        by: 'person',
      },
    },
    { turn_id, type: 'tool_started', data: started.data },
    { turn_id, type: 'tool_finished', data: { ...finished.data, progress } },
  ];
}

function turnEvents(turn_id: string, calls: readonly string[]): NewSessionEvent[] {
  const model = { provider: 'practice', name: 'practice' };
  const usage = { input_tokens: null, output_tokens: null };
  return [
    {
      turn_id,
      type: 'message_submitted',
      data: { message_id: `m_${turn_id}`, text: 'Hi', attachments: [], mentions: [] },
    },
    {
      turn_id,
      type: 'turn_started',
      data: { model, sees_images: false, mode: 'ask', bundle_digest: 'b', tools: [] },
    },
    { turn_id, type: 'attempt_started', data: { attempt: 1, model } },
    {
      turn_id,
      type: 'assistant_message',
      data: {
        message_id: `r_${turn_id}`,
        attempt: 1,
        text: 'I will move them.',
        reasoning: '',
        calls: calls.map((call_id) => ({
          call_id,
          name: 'files__move_file',
          qualified_name: 'files.move_file',
          arguments: args,
        })),
        finish_reason: 'tool-calls',
        usage,
        partial: false,
      },
    },
    ...calls.flatMap((call_id) => callEvents(turn_id, call_id)),
    { turn_id, type: 'attempt_started', data: { attempt: 2, model } },
    {
      turn_id,
      type: 'assistant_message',
      data: {
        message_id: `e_${turn_id}`,
        attempt: 2,
        text: 'Done.',
        reasoning: '',
        calls: [],
        finish_reason: 'stop',
        usage,
        partial: false,
      },
    },
    { turn_id, type: 'turn_finished', data: { outcome: 'completed', error: null } },
  ];
}

function signalsOf(turn_id: string, call_id: string): Signal[] {
  return [
    {
      type: 'call_observed',
      turn_id,
      call_id,
      qualified_name: 'files.move_file',
      model_alias: 'files__move_file',
    },
    { type: 'call_progress', turn_id, call_id, entry: { index: 0, message: 'half', fraction: 0.5 } },
    { type: 'turn_unrecorded', turn_id, error: { code: 'journal_full', message: 'The disk is full.' } },
    { type: 'text_delta', turn_id, attempt: 1, channel: 'text', offset: 0, text: 'I will' },
    { type: 'text_delta', turn_id, attempt: 1, channel: 'text', offset: 6, text: ' move them.' },
  ];
}

/** A session of two turns with parallel approved calls, and the signals that passed meanwhile. */
export function sampleSession(): { events: SessionEvent[]; signals: Signal[] } {
  const created: NewSessionEvent = {
    turn_id: null,
    type: 'session_created',
    data: {
      title: 'New',
      coworker: { id: 'c', name: 'C', tagline: '', icon: 'folder', version: '1', bundle_digest: 'b' },
      workspace: null,
      model: { provider: 'practice', name: 'practice' },
      mode: 'ask',
      app_version: '0',
    },
  };
  const events = numbered([created, ...turnEvents('t_1', ['c1', 'c2']), ...turnEvents('t_2', ['c1'])]);
  return {
    events,
    signals: [...signalsOf('t_1', 'c1'), ...signalsOf('t_1', 'c2'), ...signalsOf('t_2', 'c1')],
  };
}
