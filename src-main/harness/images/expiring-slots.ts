export interface ExpiringSlotsDeps<Value> {
  /** Monotonic milliseconds. One that goes back lengthens no life. */
  clock(): number;
  /** Milliseconds. */
  readonly life_ms: number;
  /** Called once for each value that leaves, before anyone can ask for the slot again. */
  emptied(key: string, value: Value, why: 'replaced' | 'expired' | 'dropped'): void;
}

/** One value per key, each for a limited time that nothing lengthens. Its timers keep no process alive. */
export interface ExpiringSlots<Value> {
  put(key: string, value: Value): void;
  get(key: string): { readonly value: Value; readonly remaining_ms: number } | null;
  drop(key: string): void;
  dropAll(): void;
}

interface Slot<Value> {
  readonly value: Value;
  readonly expires_at: number;
  timer: NodeJS.Timeout | null;
}

export function createExpiringSlots<Value>(deps: ExpiringSlotsDeps<Value>): ExpiringSlots<Value> {
  const slots = new Map<string, Slot<Value>>();
  let latestTime = Number.NEGATIVE_INFINITY;

  function now(): number {
    latestTime = Math.max(latestTime, deps.clock());
    return latestTime;
  }

  function empty(key: string, why: 'replaced' | 'expired' | 'dropped'): void {
    const slot = slots.get(key);
    if (!slot) return;
    slots.delete(key);
    if (slot.timer) clearTimeout(slot.timer);
    deps.emptied(key, slot.value, why);
  }

  /** A value whose time is over goes at once, whatever its timer does. */
  function get(key: string): { readonly value: Value; readonly remaining_ms: number } | null {
    const slot = slots.get(key);
    if (!slot) return null;
    const remaining_ms = slot.expires_at - now();
    if (remaining_ms > 0) return { value: slot.value, remaining_ms };
    empty(key, 'expired');
    return null;
  }

  /** Timers follow another clock than the injected one: one that comes early waits for the rest. */
  function expireLater(key: string, slot: Slot<Value>, ms: number): void {
    const look = (): void => {
      const found = get(key);
      if (found) expireLater(key, slot, found.remaining_ms);
    };
    slot.timer = setTimeout(look, Math.max(1, Math.ceil(ms))).unref();
  }

  return {
    put(key, value) {
      empty(key, 'replaced');
      const slot: Slot<Value> = { value, expires_at: now() + deps.life_ms, timer: null };
      slots.set(key, slot);
      expireLater(key, slot, deps.life_ms);
    },
    get,
    drop: (key) => empty(key, 'dropped'),
    dropAll() {
      for (const key of [...slots.keys()]) empty(key, 'dropped');
    },
  };
}
