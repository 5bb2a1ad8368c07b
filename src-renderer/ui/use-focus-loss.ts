import { useLayoutEffect, useRef, type RefObject } from 'react';

/** Calls `onLoss` when the element goes from the page while the focus is inside it. */
export function useFocusLoss(element: RefObject<HTMLElement | null>, onLoss: () => void): void {
  const latest = useRef(onLoss);
  useLayoutEffect(() => {
    latest.current = onLoss;
  });
  useLayoutEffect(() => {
    const present = element.current;
    return () => {
      if (present?.contains(document.activeElement)) latest.current();
    };
  }, [element]);
}
