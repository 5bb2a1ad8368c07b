import { describe, expect, it } from 'vitest';
import { approvedCall } from '../testing/sample-events';
import { summarizeEvent } from './run-summary';

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

  it('S1-84 S1-86 C1: the start gives released arguments, null when withheld; the finish never repeats them', () => {
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
