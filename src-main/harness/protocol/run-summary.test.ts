import { describe, expect, it } from 'vitest';
import { approvedCall } from '../testing/sample-events';
import type { SessionEventOf } from './events';
import { interruptionOf, summarizeEvent } from './run-summary';

describe('typed summaries of events', () => {
  const { started, finished, requested } = approvedCall('c1');

  it('S1-46 S1-78 S1-79 S1-80: start and finish carry the call id, the alias as tool, and both names', () => {
    const names = {
      callId: 'c1',
      tool: 'files__move_file',
      qualifiedName: 'files.move_file',
      modelAlias: 'files__move_file',
    };
    expect(summarizeEvent(started)).toMatchObject({ type: 'tool_started', ...names });
    expect(summarizeEvent(finished)).toMatchObject({ type: 'tool_finished', ...names, outcome: 'completed' });
  });

  it('S1-47 S1-61: the raw event has turn_id, and in its data call_id, name and arguments', () => {
    expect(started).toMatchObject({
      type: 'tool_started',
      session_id: 's_1',
      turn_id: 't_1',
      data: { call_id: 'c1', name: 'files__move_file', arguments: { source: 'a', destination: 'b' } },
    });
    expect(finished).toMatchObject({ turn_id: 't_1', data: { call_id: 'c1' } });
  });

  it('S1-82 S1-85: what an older host left out is left out here too, and nothing is made up', () => {
    const { call_id, name } = started.data;
    const old = { ...started, data: { call_id, name } } as unknown as SessionEventOf<'tool_started'>;
    expect(summarizeEvent(old)).toEqual({ type: 'tool_started', callId: 'c1', tool: 'files__move_file' });
    const { outcome } = finished.data;
    const data = { call_id, name, outcome };
    const ended = { ...finished, data } as unknown as SessionEventOf<'tool_finished'>;
    expect(summarizeEvent(ended)).toEqual({
      type: 'tool_finished',
      callId: 'c1',
      tool: 'files__move_file',
      outcome: 'completed',
    });
  });

  it('S1-79: a name that is registered nowhere has no qualified name', () => {
    const unknown = { ...finished, data: { ...finished.data, qualified_name: null } };
    expect(summarizeEvent(unknown)).not.toHaveProperty('qualifiedName');
  });

  it('S1-89: an approval interruption has both names beside the tool, and what an answer needs', () => {
    expect(interruptionOf(requested)).toEqual({
      type: 'approval_requested',
      approval_id: 'a_c1',
      call_id: 'c1',
      session_id: 's_1',
      turn_id: 't_1',
      tool: 'files__move_file',
      qualified_name: 'files.move_file',
      model_alias: 'files__move_file',
      arguments: { source: 'a', destination: 'b' },
      arguments_digest: 'd'.repeat(64),
    });
    const withheld = { ...requested, data: { ...requested.data, arguments: null } };
    expect(interruptionOf(withheld).arguments).toBeNull();
  });

  it('S1-58 C1: absent, withheld and given arguments are three different things; the finish has none of them', () => {
    const given = (data: object): object =>
      summarizeEvent({ ...started, data } as unknown as SessionEventOf<'tool_started'>) ?? {};
    const { arguments: value, ...without } = started.data;
    expect('arguments' in given(without)).toBe(false);
    expect(given({ ...without, arguments: null })).toHaveProperty('arguments', null);
    expect(given({ ...without, arguments: value })).toHaveProperty('arguments', value);
    expect('arguments' in (summarizeEvent(finished) ?? {})).toBe(false);
  });

  it('S1-84 (in part) S1-58 S1-86 C1: the start gives released arguments, null when withheld; the finish never repeats them', () => {
    expect(summarizeEvent(started)).toMatchObject({ arguments: { source: 'a', destination: 'b' } });
    expect(summarizeEvent({ ...started, data: { ...started.data, arguments: null } })).toMatchObject({
      arguments: null,
    });
    expect(summarizeEvent(finished)).not.toHaveProperty('arguments');
  });

  it('gives nothing for other events', () => {
    expect(summarizeEvent(requested)).toBeUndefined();
  });
});
