import { describe, expect, it } from 'vitest';
import { emptySessionView, foldSessionEvents, type SessionView } from '../../../src-preload/contract';
import { hex, recorder, tools } from '../../testing/fixture-data';
import { beginTurn } from '../../testing/fixture-sessions';
import { grantsInForce } from './grants-in-force';

const [tool] = tools;
const name = tool?.qualified_name ?? '';

function granted(grants: readonly (readonly [string, string])[]): SessionView {
  const record = recorder('s', new Date(0));
  beginTurn(record, 't', 'Hi');
  for (const [index, [qualified_name, pin]] of grants.entries()) {
    record.add('t', 'grant_made', {
      grant_id: `g${index}`,
      scope: 'session',
      coworker_id: 'c',
      qualified_name,
      pin,
      approval_id: `a${index}`,
    });
  }
  return foldSessionEvents(emptySessionView('s'), record.events);
}

describe('what is allowed in the session', () => {
  it('holds for the pin that it was given for', () => {
    expect(grantsInForce(granted([[name, tool?.pin ?? '']]))).toEqual([
      { qualified_name: name, holds: true },
    ]);
    expect(grantsInForce(granted([[name, hex('as it was')]]))).toEqual([
      { qualified_name: name, holds: false },
    ]);
  });

  it('names a tool once that was allowed again after its definition had changed', () => {
    const view = granted([
      [name, hex('as it was')],
      [name, tool?.pin ?? ''],
    ]);
    expect(grantsInForce(view)).toEqual([{ qualified_name: name, holds: true }]);
  });

  it('stands for a tool that the latest turn did not have', () => {
    expect(grantsInForce(granted([['home.lamp', hex('lamp')]]))).toEqual([
      { qualified_name: 'home.lamp', holds: true },
    ]);
  });
});
