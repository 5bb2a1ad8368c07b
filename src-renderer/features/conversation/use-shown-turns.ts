import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useUi } from '../../state/use-app';
import type { TurnPlace } from './turn-places';

/** Turns that are drawn at first, and with each approach to the top. */
export const turnStep = 40;
/** So near to the top, in CSS pixels, more is drawn. */
const nearTop = 1200;

/** How many of the last turns must be drawn so that the one that something points at is among them. */
export function countFor(places: readonly TurnPlace[], turnId: string | null, count: number): number {
  const index = turnId === null ? -1 : places.findIndex((place) => place.turn.turn_id === turnId);
  return index < 0 ? count : Math.max(count, places.length - index);
}

/** The last turns, and more of them as the reader goes up; nothing that is read moves by it. */
export function useShownTurns(
  places: readonly TurnPlace[],
  scroller: RefObject<HTMLElement | null>,
  all: boolean,
): { readonly shown: readonly TurnPlace[]; readonly top: RefObject<HTMLDivElement | null> } {
  const [count, setCount] = useState(turnStep);
  const top = useRef<HTMLDivElement>(null);
  const pointed = useUi((state) =>
    state.reveal?.target.type === 'row' ? state.reveal.target.turn_id : null,
  );
  const shown = all ? places : places.slice(-count);
  const hidden = places.length > shown.length;
  useEffect(() => setCount((known) => countFor(places, pointed, known)), [places, pointed]);
  useEffect(() => {
    const mark = top.current;
    if (!hidden || !mark) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setCount((known) => known + turnStep);
      },
      { root: scroller.current, rootMargin: `${nearTop}px 0px 0px 0px` },
    );
    observer.observe(mark);
    return () => observer.disconnect();
  }, [hidden, count, scroller]);
  const first = shown[0]?.turn.turn_id ?? null;
  const before = useRef(first);
  // The browser holds what is read in its place, except at the very top.
  useLayoutEffect(() => {
    const element = scroller.current;
    const former = before.current;
    before.current = first;
    if (!element || former === null || first === null || former === first || element.scrollTop > 0) return;
    const find = (id: string) => element.querySelector<HTMLElement>(`[data-turn-id="${CSS.escape(id)}"]`);
    const [was, is] = [find(former), find(first)];
    if (was && is) element.scrollTop = was.offsetTop - is.offsetTop;
  }, [first, scroller]);
  return { shown, top };
}
