import { createHash } from 'node:crypto';
import type { Attachment } from '../journal';
import {
  fail,
  ok,
  turnTree,
  type AttachmentFacts,
  type MessageSubmitted,
  type NewSessionEvent,
  type CallRerun,
  type MessageQueued,
  type ProposedCall,
  type Result,
  type SessionView,
  type Stated,
  type TurnView,
} from '../protocol';
import type { SessionDeps, Submission } from './session-port';
import type { Stream } from './stream';
import { automaticTitle } from './title';

/** What opens a turn: its event, with the files that it brings. */
export interface Opening {
  readonly turn_id: string;
  readonly events: readonly NewSessionEvent[];
  readonly attachments: readonly Attachment[];
}

interface Parts {
  readonly deps: SessionDeps;
  readonly stream: Stream;
}

/** The files of a submission as events name them and as the journal keeps them. */
export function filesOf(submission: Submission): {
  readonly facts: readonly AttachmentFacts[];
  readonly kept: readonly Attachment[];
} {
  const files = submission.files.map((file) => ({
    ...file,
    digest: createHash('sha256').update(file.bytes).digest('hex'),
  }));
  return {
    facts: files.map(({ digest, name, media_type, bytes }) => ({
      digest,
      name,
      media_type,
      bytes: bytes.byteLength,
    })),
    kept: files.map(({ digest, media_type, bytes }) => ({ digest, media_type, bytes })),
  };
}

function headOf(stream: Stream): string | null {
  return stream.facts().head?.data ?? null;
}

function opening(
  { deps }: Parts,
  data: Omit<MessageSubmitted, 'message_id'>,
  attachments: readonly Attachment[] = [],
): Opening {
  const turn_id = deps.newId('turn');
  const message: NewSessionEvent = {
    turn_id,
    type: 'message_submitted',
    data: { message_id: deps.newId('message'), ...data },
  };
  return { turn_id, events: [message], attachments };
}

/** A new message behind the head; the first one of a session gives it its title where nobody gave another. */
export function openMessage(parts: Parts, submission: Submission): Opening {
  const { stream } = parts;
  const { facts, kept } = filesOf(submission);
  const { text, mentions } = submission;
  const fresh = opening(parts, { text, mentions, attachments: facts, follows: headOf(stream) }, kept);
  const known = stream.facts();
  // A title that was carried over from another session stays.
  if (known.title?.seq !== 1 || known.turns.size > 0) return fresh;
  const title = automaticTitle(submission);
  const renamed: NewSessionEvent = {
    turn_id: null,
    type: 'session_renamed',
    data: { title, by: 'automatic' },
  };
  return { ...fresh, events: [...fresh.events, renamed] };
}

/** The turn whose message a turn answers: itself, or the one that it goes on from. */
function messageOf(facts: SessionView, turnId: string): TurnView | null {
  let turn = facts.turns.get(turnId);
  for (const seen = new Set<TurnView>(); turn?.retried && !seen.has(turn);) {
    seen.add(turn);
    turn = facts.turns.get(turn.retried.data.follows);
  }
  return turn ?? null;
}

/** A branch beside a turn: its message in other words, or (`submission` null) once more as it was. */
export function openBranch(parts: Parts, named: string, submission: Submission | null): Result<Opening> {
  const facts = parts.stream.facts();
  const asked = messageOf(facts, named);
  const former = asked?.submitted?.data;
  if (!asked || !former) {
    return fail(
      'not_found',
      `Turn ${named} has no message that could be sent again. Choose another message.`,
    );
  }
  const of = asked.turn_id;
  const follows = turnTree(facts).parentOf(of) ?? null;
  if (!submission) {
    const { text, mentions, attachments } = former;
    const branch = { kind: 'regenerated', of } as const;
    return ok(opening(parts, { text, mentions, attachments, follows, branch }));
  }
  const { facts: added, kept } = filesOf(submission);
  const { text, mentions } = submission;
  const attachments = [...former.attachments, ...added];
  const branch = { kind: 'edited', of } as const;
  return ok(opening(parts, { text, mentions, attachments, follows, branch }, kept));
}

/** Goes on from the head without a new message. */
export function openRetry({ deps, stream }: Parts): Result<Opening> {
  const facts = stream.facts();
  const head = facts.head && facts.turns.get(facts.head.data);
  const end = head?.finished?.data.outcome;
  if (!head || end === undefined || end === 'completed') {
    return fail('invalid_input', 'There is nothing to go on from: the last turn did not fail or stop.');
  }
  const turn_id = deps.newId('turn');
  return ok({
    turn_id,
    events: [{ turn_id, type: 'turn_retried', data: { follows: head.turn_id } }],
    attachments: [],
  });
}

/** A queued message as a turn of its own. */
export function openQueued(parts: Parts, { data }: Stated<MessageQueued>): Opening {
  const { queued_id, text, mentions, attachments } = data;
  const follows = headOf(parts.stream);
  return opening(parts, { text, mentions, attachments, follows, queued_id });
}

/** A call of unknown outcome once more, with the same arguments and under an id of its own. */
export function openRerun(
  { deps, stream }: Parts,
  turnId: string,
  callId: string,
  note: string,
): Result<{ readonly opening: Opening; readonly rerun: CallRerun }> {
  const turn = stream.turn(turnId);
  if (!turn.ok) return turn;
  const row = turn.value?.rows.get(callId);
  if (!row?.proposed) return fail('not_found', `There is no call ${callId} in turn ${turnId}.`);
  const { proposed, started } = row;
  if (proposed.arguments === null) {
    return fail(
      'withheld_gone',
      `The arguments of ${proposed.name} are not on record, so it cannot be run again. Send a message instead.`,
    );
  }
  const call: ProposedCall = {
    call_id: deps.newId('call'),
    name: proposed.name,
    qualified_name: proposed.qualified_name,
    arguments: started?.data.arguments ?? proposed.arguments,
  };
  const turn_id = deps.newId('turn');
  const rerun: CallRerun = { follows: headOf(stream), of: { turn_id: turnId, call_id: callId }, call, note };
  return ok({
    opening: { turn_id, events: [{ turn_id, type: 'call_rerun', data: rerun }], attachments: [] },
    rerun,
  });
}
