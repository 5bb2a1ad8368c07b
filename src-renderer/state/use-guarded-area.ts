import type { KeyboardEvent, MouseEvent } from 'react';
import type { ClickGuard } from './click-guard';
import { useClickGuard } from './use-click-guard';

export interface GuardedArea {
  readonly guard: ClickGuard;
  /** Of the element around all the buttons. */
  readonly area: {
    readonly onPointerDownCapture: () => void;
    readonly onKeyDownCapture: (event: KeyboardEvent) => void;
  };
  /** Acts only where a person meant this click for what they saw. */
  guarded(act: () => void): (event: MouseEvent) => void;
}

/** One guard for every button of an area. It is armed anew with each change of `key`. */
export function useGuardedArea(key: string): GuardedArea {
  const guard = useClickGuard(key);
  return {
    guard,
    area: {
      onPointerDownCapture: () => guard.pressed(),
      onKeyDownCapture(event) {
        const onButton = event.target instanceof HTMLButtonElement;
        if (onButton && guard.keyRepeats(event)) event.preventDefault();
        else if (event.key === 'Enter' || event.key === ' ') guard.pressed();
      },
    },
    guarded: (act) => (event) => {
      const { isTrusted } = event.nativeEvent;
      if (guard.judge({ isTrusted, detail: event.detail }) === 'accept') act();
    },
  };
}
