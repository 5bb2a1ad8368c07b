/** Milliseconds in which a request that just came or changed takes no answer. */
export const deafFor = 500;
/** Taps meanwhile lengthen the deafness, but never beyond this after the change. */
export const deafAtMost = 2000;

/** What the guard must know of an event. `detail` is the click count; 0 for a click made by a key. */
export interface GuardedClick {
  readonly isTrusted: boolean;
  readonly detail: number;
}

export type Verdict = 'accept' | 'not_a_person' | 'too_soon' | 'repeat';

/**
 * Decides whether a click on a button of a request is meant for what the person saw. Pure but for its clock, which
 * gives milliseconds and must not run backwards.
 */
export interface ClickGuard {
  /** A request opened, changed, or came into the place of another. */
  changed(): void;
  /** The window got the focus: the click that did it, and what follows at once, is not an answer. */
  focused(): void;
  /** A pointer or key went down anywhere on the request. */
  pressed(): void;
  /** The key that is down repeats itself. */
  keyRepeats(event: { readonly repeat: boolean }): boolean;
  judge(event: GuardedClick): Verdict;
}

export function createClickGuard(deps: { readonly now: () => number }): ClickGuard {
  let armedAt = deps.now();
  let deafUntil = armedAt + deafFor;
  let pressWasDeaf: boolean | null = null;

  const arm = (): void => {
    armedAt = deps.now();
    deafUntil = armedAt + deafFor;
    // A press that began before the change is not meant for what came after it.
    if (pressWasDeaf !== null) pressWasDeaf = true;
  };
  const isDeaf = (): boolean => deps.now() < deafUntil;
  return {
    changed: arm,
    focused: arm,
    pressed() {
      pressWasDeaf = isDeaf();
      if (pressWasDeaf) deafUntil = Math.min(deps.now() + deafFor, armedAt + deafAtMost);
    },
    keyRepeats: (event) => event.repeat,
    judge(event) {
      const pressed = pressWasDeaf;
      pressWasDeaf = null;
      if (!event.isTrusted) return 'not_a_person';
      if (event.detail > 1) return 'repeat';
      // A click by keyboard or by an assistive tool has no press of its own.
      return (pressed ?? false) || isDeaf() ? 'too_soon' : 'accept';
    },
  };
}
