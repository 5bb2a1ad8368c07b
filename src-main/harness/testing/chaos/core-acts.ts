import { ok, type Result, type SessionLimits } from '../../protocol';
import type { BegunTurn, Session, Submission } from '../../session';

/** What a person does with a session beside sending, answering and stopping. */
export type SessionAct =
  | { readonly op: 'edit'; readonly turn_id: string; readonly text: string }
  | { readonly op: 'regenerate'; readonly turn_id: string }
  | { readonly op: 'retry' }
  | { readonly op: 'select'; readonly turn_id: string }
  | { readonly op: 'queue'; readonly text: string; readonly delivery: 'next_turn' | 'this_turn' }
  | { readonly op: 'unqueue'; readonly queued_id: string }
  | { readonly op: 'send_queued' }
  | {
      readonly op: 'settle';
      readonly turn_id: string;
      readonly call_id: string;
      readonly settlement: 'happened' | 'did_not_happen' | 'run_again';
    }
  | { readonly op: 'limits'; readonly limits: SessionLimits }
  | { readonly op: 'pause'; readonly pause_id: string; readonly go_on: boolean };

const ops: readonly string[] = [
  'edit',
  'regenerate',
  'retry',
  'select',
  'queue',
  'unqueue',
  'send_queued',
  'settle',
  'limits',
  'pause',
];

export function isAct<T extends { readonly op: string }>(request: T): request is Extract<T, SessionAct> {
  return ops.includes(request.op);
}

/** The begun turn without its promise, so that it can be sent as JSON. */
function told(begun: Result<BegunTurn | null>): Result<{ turn_id: string | null }> {
  return begun.ok ? ok({ turn_id: begun.value?.turn_id ?? null }) : begun;
}

const words = (text: string): Submission => ({ text, files: [], mentions: [] });

export function doAct(session: Session, act: SessionAct): Result<unknown> {
  switch (act.op) {
    case 'edit':
      return told(session.edit(act.turn_id, words(act.text)));
    case 'regenerate':
      return told(session.regenerate(act.turn_id));
    case 'retry':
      return told(session.retry());
    case 'select':
      return session.selectBranch(act.turn_id);
    case 'queue':
      return session.queue(words(act.text), act.delivery);
    case 'unqueue':
      return session.unqueue(act.queued_id);
    case 'send_queued':
      return told(session.sendQueued());
    case 'settle':
      return told(session.settle(act.turn_id, act.call_id, act.settlement, ''));
    case 'limits':
      return session.setLimits(act.limits);
    case 'pause':
      return session.answerPause(act.pause_id, act.go_on);
  }
}
