import type { SessionEvent, SessionEventOf } from '../../protocol';

/** Something that waits for its turn in the interleaving. */
interface Gate {
  readonly owner: string;
  readonly open: () => void;
}

/** Holds every step of model and tools until the scheduler lets it go. */
export interface Scheduler {
  wait(owner: string): Promise<void>;
  gatesOf(owner: string): readonly Gate[];
  release(gate: Gate): void;
}

export function createScheduler(): Scheduler {
  const gates = new Set<Gate>();
  return {
    wait: (owner) => new Promise((resolve) => gates.add({ owner, open: resolve })),
    gatesOf: (owner) => [...gates].filter((gate) => gate.owner === owner),
    release(gate) {
      gates.delete(gate);
      gate.open();
    },
  };
}

/** Plays interleavings, one for each seed. */
export interface RaceBench {
  /** How often each thing happened: what the races went through. */
  readonly seen: ReadonlyMap<string, number>;
  /** Runs one interleaving; answers what is broken in it. */
  race(seed: number): Promise<string[]>;
  close(): void;
}

export const usage = { input_tokens: 1, output_tokens: 1 };

/** Lets everything happen that can happen without the scheduler. */
export async function drain(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

/** Requests that no record has resolved yet. */
export function waitingIn(
  events: readonly SessionEvent[],
): readonly SessionEventOf<'approval_requested'>['data'][] {
  const resolved = new Set(
    events.flatMap((event) => (event.type === 'approval_resolved' ? [event.data.approval_id] : [])),
  );
  return events.flatMap((event) =>
    event.type === 'approval_requested' && !resolved.has(event.data.approval_id) ? [event.data] : [],
  );
}
