import { describe, expect, it } from 'vitest';
import { approvedCall } from '../testing/sample-events';
import type { SessionEvent } from './events';
import { foldSessionEvents } from './fold-session';
import { parseQualifiedName } from './names';
import { summarizeEvent } from './run-summary';
import { emptySessionView, orderedRows, orderedTurns, rowName } from './session-view';

function labels(events: readonly SessionEvent[]): string[] {
  return orderedTurns(foldSessionEvents(emptySessionView('s_1'), events)).flatMap((turn) =>
    orderedRows(turn).map(rowName),
  );
}

/** The event as a host wrote it that knew the alias only. */
function older(event: SessionEvent): SessionEvent {
  const { qualified_name: _qualified, model_alias: _alias, ...data } = event.data as Record<string, unknown>;
  return { ...event, data } as unknown as SessionEvent;
}

describe('names in bundles, events and labels', () => {
  const { requested, started, finished } = approvedCall('c1');

  it('S0-49: an alias is no name that anybody could select or register', () => {
    expect(parseQualifiedName('files__move_file')).toMatchObject({ ok: false });
    expect(parseQualifiedName('files.move_file')).toMatchObject({
      ok: true,
      value: { namespace: 'files', model_alias: 'files__move_file' },
    });
  });

  it('S1-35: labels come from the registered name, while saved data keeps the alias and the ids as they were', () => {
    expect(labels([requested])).toEqual(['files.move_file']);
    expect(labels([started, finished])).toEqual(['files.move_file']);
    expect(finished.data).toMatchObject({ name: 'files__move_file', call_id: 'c1' });
  });

  it('S1-82: where an older host left the added names out, the alias stays the name of the step and of the row', () => {
    expect(labels([older(finished)])).toEqual(['c1']);
    expect(labels([{ ...finished, data: { ...finished.data, qualified_name: null } }])).toEqual([
      'files__move_file',
    ]);
    for (const event of [older(started), older(finished)]) {
      const summary = summarizeEvent(event);
      expect(summary?.tool).toBe('files__move_file');
      expect(summary?.qualifiedName ?? summary?.tool).toBe('files__move_file');
      expect(summary?.modelAlias).toBeUndefined();
    }
  });
});
