import type { Harness, Json } from '../harness';
import { initialAttention, type AttentionInput } from './attention-facts';
import {
  planAttention,
  type AttentionEffect,
  type AttentionSettings,
  type AttentionTarget,
  type NoticeContent,
} from './attention-plan';

const longestPause = 60;

/** What the system shows outside the window. */
export interface AttentionSurface {
  /** Puts this notice in the place of the one before. */
  show(id: number, content: NoticeContent, silent: boolean): void;
  close(): void;
  badge(count: number): void;
}

/** What happens to a notice from outside. */
export interface NoticeEvents {
  clicked(): void;
  hidden(id: number): void;
}

export interface AttentionDeps {
  readonly harness: {
    readonly sessions: Pick<Harness['sessions'], 'list'>;
    readonly settings: Pick<Harness['settings'], 'get'>;
    readonly listen: Harness['listen'];
  };
  /** Whether the window is before the person: shown, and with the focus. */
  readonly present: () => boolean;
  /** Since the person last touched the computer, in milliseconds. */
  readonly idleMs: () => number;
  readonly surface: (events: NoticeEvents) => AttentionSurface;
  /** Shows the window, at the target where there is one. */
  readonly open: (target: AttentionTarget | null) => void;
  readonly clock: {
    /** Monotonic, in milliseconds. */
    now(): number;
    /** Answers a function that calls it off. */
    after(ms: number, run: () => void): () => void;
  };
}

export interface Attention {
  /** The focus of the window may have changed. */
  look(): void;
  /** Takes everything from the system's surfaces, for good. */
  close(): void;
}

/** The person's wishes from the stored settings; anything else that stands there counts as unset. */
export function attentionSettings(stored: Readonly<Record<string, Json>>): AttentionSettings {
  const { notify_requests: requests, notify_turn_end: turnEnd, notify_repeat_minutes: minutes } = stored;
  const valid =
    typeof minutes === 'number' && Number.isInteger(minutes) && minutes > 0 && minutes <= longestPause;
  return {
    requests: requests !== false,
    turn_end: turnEnd !== false,
    repeat_ms: valid ? minutes * 60_000 : 0,
  };
}

/** Follows all sessions and tells a person who is elsewhere that something waits or has ended. */
export function startAttention(deps: AttentionDeps): Attention {
  const { harness, clock } = deps;
  let state = initialAttention(clock.now());
  let callOff: (() => void) | null = null;
  let closed = false;
  const surface = deps.surface({
    clicked: () => take({ type: 'clicked' }),
    hidden: (id) => take({ type: 'hidden', id }),
  });
  const perform = (effect: AttentionEffect): void => {
    switch (effect.type) {
      case 'show':
        return surface.show(effect.id, effect.content, effect.silent);
      case 'close':
        return surface.close();
      case 'badge':
        return surface.badge(effect.count);
      case 'open':
        return deps.open(effect.target);
    }
  };
  function take(input: AttentionInput): void {
    if (closed) return;
    callOff?.();
    const now = clock.now();
    const settings = attentionSettings(harness.settings.get());
    const plan = planAttention(state, input, { now, settings, idle_ms: deps.idleMs() });
    state = plan.state;
    const wait = plan.wake_at === null ? null : Math.max(1, plan.wake_at - now);
    callOff = wait === null ? null : clock.after(wait, () => take({ type: 'time' }));
    plan.effects.forEach(perform);
  }
  for (const summary of [...harness.sessions.list()].reverse()) take({ type: 'known', summary });
  const deaf = harness.listen((notice) => {
    if (notice.type === 'session_changed') take({ type: 'session', summary: notice.summary });
    if (notice.type === 'session_removed') take({ type: 'removed', session_id: notice.session_id });
    if (notice.type === 'settings_changed') take({ type: 'time' });
  });
  return {
    look: () => take({ type: 'presence', present: deps.present() }),
    close() {
      if (closed) return;
      closed = true;
      deaf();
      callOff?.();
      surface.close();
      surface.badge(0);
    },
  };
}
