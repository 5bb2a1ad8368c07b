import { describe, expect, it } from 'vitest';
import { emptySessionView, foldSessionEvents, orderedTurns } from '../../../src-preload/contract';
import { recorder, type Recorder } from '../../testing/fixture-data';
import { turnPieces } from './turn-pieces';

const model = { provider: 'p', name: 'm' };

function pieces(write: (record: Recorder) => void): string[] {
  const record = recorder('s', new Date(0));
  write(record);
  const turn = orderedTurns(foldSessionEvents(emptySessionView('s'), record.events))[0];
  return turn
    ? turnPieces(turn).map((p) => (p.type === 'run' ? p.run.map((a) => a.attempt).join() : p.type))
    : [];
}

const attempt = (record: Recorder, number: number): void => {
  record.add('t', 'attempt_started', { attempt: number, model });
};
const failed = (record: Recorder, number: number): void => {
  attempt(record, number);
  record.add('t', 'attempt_failed', {
    attempt: number,
    error: { code: 'model_overloaded', message: '' },
    partial_text: '',
    retry_in_ms: 1,
  });
};
const steered = (record: Recorder, number: number): void => {
  record.add('t', 'message_steered', {
    message_id: `m${number}`,
    queued_id: `q${number}`,
    text: '',
    attachments: [],
    mentions: [],
    attempt: number,
  });
};

describe('the pieces of a turn', () => {
  it('puts a steered message before the attempt that first carries it, wherever its event came', () => {
    expect(
      pieces((record) => {
        attempt(record, 1);
        attempt(record, 2);
        steered(record, 2);
      }),
    ).toEqual(['1', 'steered', '2']);
  });

  it('keeps failed attempts together until something stands between them', () => {
    expect(
      pieces((record) => {
        failed(record, 1);
        failed(record, 2);
        record.add('t', 'pause_started', { pause_id: 'p', kind: 'tokens', used: 2, limit: 1 });
        failed(record, 3);
      }),
    ).toEqual(['1,2', 'pause', '3']);
  });

  it('begins with what was found while the turn was prepared, and ends with what waits for an attempt', () => {
    expect(
      pieces((record) => {
        record.add('t', 'definition_changed', {
          qualified_name: 'a.b',
          before_pin: '',
          after_pin: '',
          changes: [],
        });
        attempt(record, 1);
        record.add('t', 'context_compacted', {
          compaction_id: 'c',
          attempt: 2,
          model,
          summary: '',
          by: 'model',
          summarised_to_seq: 1,
          shortened_to_seq: 1,
          tokens_before: 2,
          tokens_after: 1,
          usage: { input_tokens: null, output_tokens: null },
        });
      }),
    ).toEqual(['definition', '1', 'compaction']);
  });
});
