import {
  fail,
  ok,
  type GrantScope,
  type JsonObject,
  type Result,
  type SessionSummary,
} from '../../src-preload/contract';
import { approvalScenes, fixtureGrants, fixturePreview } from './fixture-approvals';
import type { Recorder } from './fixture-data';

export interface FixtureAnswer {
  readonly type: 'allow' | 'deny';
  readonly scope?: GrantScope;
  readonly note?: string;
  readonly arguments?: JsonObject;
}

type Payload = Readonly<Record<string, unknown>>;

/** Why main would refuse an answer; null where it takes it. Made up so that each refusal can be looked at. */
function refusal(sessionId: string, callId: string, answer: FixtureAnswer): Result<never> | null {
  if (callId === 'c5' && sessionId === 's0')
    return fail('stale_answer', 'The request has already been closed by the end of its turn.');
  if (callId === 'c3' && sessionId === 's16')
    return fail('stale_answer', 'The file has changed since this was shown. Look at it again.');
  return JSON.stringify(answer.arguments ?? null).includes('refuse')
    ? fail('arguments_invalid', 'The arguments of everything.echo do not fit: /message is refused here.')
    : null;
}

function answerIn(record: Recorder, approvalId: string, answer: FixtureAnswer): Result<null> {
  const request = record.events.find(
    (event) => event.type === 'approval_requested' && event.data.approval_id === approvalId,
  );
  if (request?.type !== 'approval_requested') return fail('stale_answer', 'It waits no more.');
  const { call_id } = request.data;
  const refused = refusal(request.session_id, call_id, answer);
  if (refused) return refused;
  record.add(request.turn_id, 'approval_resolved', {
    approval_id: approvalId,
    call_id,
    outcome: answer.type === 'allow' ? 'allowed' : 'denied',
    scope: answer.scope ?? null,
    note: answer.note ?? '',
    by: 'person',
    ...(answer.arguments ? { arguments: answer.arguments } : {}),
  });
  return ok(null);
}

/** Requests, permissions and what main would say of them. */
export function createFixtureApprovals() {
  const scenes = approvalScenes();
  let grants = fixtureGrants();
  const summaries: Readonly<Record<string, Partial<SessionSummary>>> = Object.fromEntries(
    scenes.map(({ record, summary }) => [record.events[0]?.session_id ?? '', summary]),
  );
  return {
    records: scenes.map((scene) => scene.record),
    summaries,
    answer: answerIn,
    revoke(grantId: string): void {
      const ended = { how: 'revoked', at: new Date().toISOString() } as const;
      grants = grants.map((entry) => (entry.grant.grant_id === grantId ? { ...entry, ended } : entry));
    },
    queries: {
      'grants.list': () => ok(grants),
      'approval.preview': ({ session_id, scope, pattern }: Payload) =>
        ok(fixturePreview(String(scope), pattern as readonly unknown[], session_id === 's13')),
      'approval.reading': ({ approval_id }: Payload) => {
        const found = scenes.flatMap((scene) => Object.entries(scene.readings));
        const reading = found.find(([id]) => id === approval_id)?.[1];
        return ok(reading ?? { shape: { type: 'plain' }, suggestions: [], schema: null });
      },
    },
  };
}
