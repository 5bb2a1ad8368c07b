import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** So near to the end, in CSS pixels, the reader counts as being there. */
const nearEnd = 48;

/**
 * Keeps a scroll area at its end while the reader is there, and leaves the reader alone anywhere else.
 * `content` is the element whose growth counts. `hold` keeps the reader's place although it is the end.
 */
export function useFollowEnd(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  resetKey: string,
): { readonly atEnd: boolean; readonly jump: () => void; readonly hold: () => void } {
  const [atEnd, setAtEnd] = useState(true);
  const following = useRef(true);
  const jump = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    following.current = true;
    element.scrollTop = element.scrollHeight;
    setAtEnd(true);
  }, [scroller]);
  const hold = useCallback(() => {
    following.current = false;
  }, []);
  useLayoutEffect(jump, [jump, resetKey]);
  useEffect(() => {
    const element = scroller.current;
    const inner = content.current;
    if (!element || !inner) return;
    const isAtEnd = (): boolean => element.scrollHeight - element.scrollTop - element.clientHeight < nearEnd;
    let height = element.scrollHeight;
    const onScroll = (): void => {
      // Growth moves the end away from the reader; only the reader moves away from the end.
      if (element.scrollHeight !== height && following.current) return;
      following.current = isAtEnd();
      setAtEnd(following.current);
    };
    const observer = new ResizeObserver(() => {
      height = element.scrollHeight;
      if (following.current) element.scrollTop = element.scrollHeight;
      else setAtEnd(isAtEnd());
    });
    observer.observe(inner);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroller, content, resetKey]);
  return { atEnd, jump, hold };
}
