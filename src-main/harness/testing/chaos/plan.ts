/** Tools of a scenario: `notes.read` asks nobody, the others do; `ledger.add` is a server's. */
export type PlannedTool = 'notes.read' | 'notes.write' | 'ledger.add';

/** One call that the model makes; its key is in the arguments, and the witnesses write it down. */
export interface PlannedCall {
  readonly key: string;
  readonly tool: PlannedTool;
  /** Milliseconds between the effect and the answer. */
  readonly delay_ms: number;
  /** The server answers with an error or with an image, or dies after the effect. */
  readonly ends: 'well' | 'error' | 'death' | 'image';
}

/** One answer of the model. */
export interface PlannedStep {
  readonly text: readonly string[];
  readonly calls: readonly PlannedCall[];
  /** How the first request of the step fails; the request after it is answered whole. */
  readonly fault: 'none' | 'cut' | 'overloaded' | 'overflow';
  /** Before each piece of the answer. */
  readonly delay_ms: number;
}

/** How a message is sent: behind the head, in the place of an earlier one, or while the turn before it runs. */
export type Way =
  | { readonly type: 'submit' }
  /** `of` chooses among the turns that there are, 0 to 1. */
  | { readonly type: 'edit'; readonly of: number }
  | {
      readonly type: 'queue';
      readonly delivery: 'next_turn' | 'this_turn';
      /** At the n-th event of the running turn; at once where none runs. */
      readonly at: number;
      readonly take_back: boolean;
    };

/** What the person does before a message, when nothing runs. `of` as in `Way`. */
export interface PlannedAct {
  readonly type: 'regenerate' | 'retry' | 'select';
  readonly of: number;
}

export interface PlannedTurn {
  /** Stands in the person's message; by it the model server knows where it is. */
  readonly marker: string;
  readonly steps: readonly PlannedStep[];
  /** The person presses Stop at the n-th event of the turn; null: never. */
  readonly stop_at: number | null;
  readonly way?: Way;
  readonly before?: PlannedAct;
}

/** What the person answers at a limit; `leave`: only after the next start. */
export interface PauseHabit {
  readonly go_on: boolean;
  readonly leave: boolean;
}

export interface PlannedSession {
  readonly turns: readonly PlannedTurn[];
  readonly limits?: { readonly turns?: number; readonly tokens?: number };
  readonly pause?: PauseHabit;
  /** The person's word on calls of unknown outcome. */
  readonly settlement?: 'happened' | 'did_not_happen' | 'run_again';
}

/** What the person does with a request. */
export interface Decision {
  readonly answer: 'once' | 'session' | 'deny';
  /** `quiet`: when nothing has happened for a moment; `at_once`: in the tick in which it is seen. */
  readonly when: 'at_once' | 'quiet';
  /** Left lying until the last start. */
  readonly leave: boolean;
  /** A second click with the opposite answer follows in the same tick. */
  readonly twice: boolean;
}

/** What befalls one life of the core. */
export type RunFault =
  | { readonly type: 'none' }
  /** The core kills itself when it reaches the point for the n-th time. */
  | { readonly type: 'crash'; readonly at: string }
  /** The server kills itself, or the core, before or after it writes its witness for the n-th time. */
  | { readonly type: 'server'; readonly at: string }
  /** The journal's database cannot grow any more. */
  | { readonly type: 'disk_full'; readonly max_bytes: number }
  /** Appends of one session from the n-th to the m-th are refused. */
  | { readonly type: 'refused'; readonly session: number; readonly from: number; readonly to: number }
  /** The core stands still for a while after the n-th acknowledged append. */
  | { readonly type: 'pause'; readonly after: number; readonly ms: number }
  | { readonly type: 'clock'; readonly after: number; readonly jump_ms: number }
  /** A second core starts on the same folder. */
  | { readonly type: 'second_core'; readonly after: number }
  /** The core is run by a tracer that makes its system calls fail. */
  | { readonly type: 'traced'; readonly inject: string; readonly log: string | null };

export interface Plan {
  readonly name: string;
  readonly sessions: readonly PlannedSession[];
  readonly decisions: ReadonlyMap<string, Decision>;
  /** Lives of the core, in order; a last one without fault follows. */
  readonly runs: readonly RunFault[];
}

/** A key that a model gives for the second time, in another branch, gets a number: ids of calls are never used twice. */
export const callIdOf = (key: string): string => `call_${key}`;

/** The plan's key in a key or an id of a call, without the number. */
export const plannedKey = (callId: string): string => callId.replace(/^call_/, '').replace(/~\d+$/, '');

/** What the model server answers to a request for a summary. */
export const summaryAnswer = 'All that was said before, in short.';

export const stepText = (step: PlannedStep): string => step.text.join('');

export function plannedTurns(plan: Plan): PlannedTurn[] {
  return plan.sessions.flatMap((session) => session.turns);
}

/** The message with which the last start of every scenario asks each session once more. */
export const lastMarker = (session: number): string => `last-${session}`;

/** The place of the session that a marker belongs to; null where the marker does not say. */
export function sessionOf(marker: string): number | null {
  const place = /^(?:s|last-)(\d+)/.exec(marker)?.[1];
  return place === undefined ? null : Number(place);
}

export function turnOf(plan: Plan, marker: string): PlannedTurn {
  const step: PlannedStep = { text: ['Still ', 'here.'], calls: [], fault: 'none', delay_ms: 0 };
  return (
    plannedTurns(plan).find((turn) => turn.marker === marker) ?? { marker, steps: [step], stop_at: null }
  );
}

export const messageOf = (marker: string): string => `Go on [[${marker}]]`;

/** The last marker in a text, or null: messages that got no answer stand before it in the same text. */
export function markerIn(text: string): string | null {
  return [...text.matchAll(/\[\[([\w-]+)\]\]/g)].at(-1)?.[1] ?? null;
}
