import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { approvedCall, sampleSession, toItems } from '../testing/sample-events';
import type { SessionEvent, Signal } from './events';
import { foldSession, foldSessionEvents, type FoldItem } from './fold-session';
import {
  emptySessionView,
  orderedRows,
  orderedTurns,
  pendingApprovals,
  rowArguments,
  rowName,
  rowProgress,
  rowState,
  type SessionView,
} from './session-view';

/** What a person would see of the rows: the thing that every order of arrival must agree on. */
function rows(view: SessionView): unknown {
  return orderedTurns(view).map((turn) => ({
    turn: turn.turn_id,
    text: turn.attempts.map((attempt) => attempt.message?.data.text ?? null),
    end: turn.finished?.data.outcome ?? null,
    rows: orderedRows(turn).map((row) => ({
      id: row.call_id,
      name: rowName(row),
      state: rowState(row, turn),
      arguments: rowArguments(row),
      progress: rowProgress(row),
      approvals: row.approvals.map((approval) => approval.resolved?.data.outcome ?? 'open'),
      result: row.finished?.data.result ?? null,
    })),
  }));
}

const { events, signals } = sampleSession();
const inOrder = rows(foldSession(emptySessionView('s_1'), toItems(events)));

describe('the reducer', () => {
  it('S1-51 S1-54 S1-90: any interleaving, repetition and loss-then-replay gives the same rows', () => {
    const all: FoldItem[] = [
      ...toItems(events),
      ...signals.map((signal): FoldItem => ({ kind: 'signal', signal })),
    ];
    const arrival = fc
      .array(fc.constantFrom(...all), { maxLength: 40 })
      .chain((early) =>
        fc.shuffledSubarray(all, { minLength: all.length }).map((whole) => [...early, ...whole]),
      );
    fc.assert(
      fc.property(arrival, fc.integer({ min: 1, max: 7 }), (items, size) => {
        let view = emptySessionView('s_1');
        for (let at = 0; at < items.length; at += size) view = foldSession(view, items.slice(at, at + size));
        expect(rows(view)).toEqual(inOrder);
        expect(view.last_seq).toBe(events.length);
      }),
      { numRuns: 300 },
    );
  });

  it('S1-53 S1-59 C11: a late start adds arguments and names to a finished row and leaves its state alone', () => {
    const { requested, started, finished } = approvedCall('c1');
    const late = foldSessionEvents(emptySessionView('s_1'), [finished, started, requested]);
    const [turn] = orderedTurns(late);
    const row = turn?.rows.get('c1');
    expect(turn && row && rowState(row, turn)).toBe('completed');
    expect(row && rowArguments(row)).toEqual({ type: 'value', value: { source: 'a', destination: 'b' } });
  });

  it('S1-50: a callback that comes before the journal makes the row, and the journal completes it', () => {
    const observed: Signal = {
      type: 'call_observed',
      turn_id: 't_1',
      call_id: 'c1',
      qualified_name: 'files.move_file',
      model_alias: 'files__move_file',
    };
    const first = foldSession(emptySessionView('s_1'), [{ kind: 'signal', signal: observed }]);
    const [turn] = orderedTurns(first);
    const row = turn?.rows.get('c1');
    expect(turn && row && [rowName(row), rowState(row, turn)]).toEqual(['files.move_file', 'running']);
    const { finished } = approvedCall('c1');
    const then = foldSessionEvents(first, [finished]);
    const [turnThen] = orderedTurns(then);
    const rowThen = turnThen?.rows.get('c1');
    expect(turnThen && rowThen && rowState(rowThen, turnThen)).toBe('completed');
  });

  it('S1-48: the same call id in two turns is two rows', () => {
    const first = approvedCall('c1', 't_1');
    const second = approvedCall('c1', 't_2');
    const view = foldSessionEvents(emptySessionView('s_1'), [first.finished, second.started]);
    expect(orderedTurns(view).map((turn) => turn.rows.size)).toEqual([1, 1]);
  });

  it('field report 101: no row runs or waits once its turn has ended', () => {
    const { requested, started } = approvedCall('c1');
    const asked = approvedCall('c2');
    const end: SessionEvent = {
      seq: 99,
      session_id: 's_1',
      turn_id: 't_1',
      type: 'turn_finished',
      version: 1,
      at: '2026-01-01T00:00:00.000Z',
      data: { outcome: 'interrupted', error: null },
    };
    const view = foldSessionEvents(emptySessionView('s_1'), [requested, started, asked.requested, end]);
    const [turn] = orderedTurns(view);
    expect(turn && orderedRows(turn).map((row) => rowState(row, turn))).toEqual([
      'outcome_unknown',
      'cancelled',
    ]);
    expect(pendingApprovals(view)).toEqual([]);
  });

  it('S1-85 (in part) S1-60 C1: tells withheld arguments from absent ones', () => {
    const { started } = approvedCall('c1');
    const withheld = { ...started, data: { ...started.data, arguments: null } } as SessionEvent;
    const view = foldSessionEvents(emptySessionView('s_1'), [withheld]);
    const row = orderedTurns(view)[0]?.rows.get('c1');
    expect(row && rowArguments(row)).toEqual({ type: 'withheld' });
    const { finished } = approvedCall('c2');
    const only = orderedTurns(foldSessionEvents(emptySessionView('s_1'), [finished]))[0]?.rows.get('c2');
    expect(only && rowArguments(only)).toEqual({ type: 'absent' });
  });

  it('joins streamed text by offset, so that repeated deltas are one', () => {
    const delta = (offset: number, text: string): FoldItem => ({
      kind: 'signal',
      signal: { type: 'text_delta', turn_id: 't_1', attempt: 1, channel: 'text', offset, text },
    });
    const view = foldSession(emptySessionView('s_1'), [
      delta(0, 'Hel'),
      delta(3, 'lo'),
      delta(0, 'Hello'),
      delta(9, '!'),
    ]);
    expect(orderedTurns(view)[0]?.attempts[0]?.live.text).toBe('Hello');
  });

  it('shares the turns that a batch does not touch', () => {
    const view = foldSession(emptySessionView('s_1'), toItems(events));
    const { finished } = approvedCall('c9', 't_new');
    const next = foldSessionEvents(view, [{ ...finished, seq: 500 }]);
    for (const [id, turn] of view.turns) expect(next.turns.get(id)).toBe(turn);
  });
});
