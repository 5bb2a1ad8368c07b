import { ChevronDown, ChevronUp, X } from 'lucide-react';
import {
  useCallback,
  useEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { useText } from '../../messages/use-text';
import { useActions, useUi } from '../../state/use-app';
import { IconButton } from '../../ui/buttons';
import { findMatches, maxMatches, type TextChunk } from './text-matches';
import './find.css';

const blocks = 'p, li, pre, td, th, h1, h2, h3, h4, h5, h6, dd, dt, button, .row-sentence, .json-member';

function rangesIn(root: HTMLElement, query: string): Range[] {
  const nodes: Text[] = [];
  const chunks: TextChunk[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!parent || parent.closest('.visually-hidden')) continue;
    nodes.push(node as Text);
    chunks.push({ text: node.nodeValue ?? '', block: parent.closest(blocks) });
  }
  return findMatches(chunks, query).flatMap((match) => {
    const start = nodes[match.startChunk];
    const end = nodes[match.endChunk];
    if (!start || !end) return [];
    const range = document.createRange();
    range.setStart(start, match.startOffset);
    range.setEnd(end, match.endOffset);
    return [range];
  });
}

function paint(ranges: readonly Range[], current: Range | undefined): void {
  if (!('highlights' in CSS)) return;
  CSS.highlights.set('found', new Highlight(...ranges));
  if (current) {
    const now = new Highlight(current);
    now.priority = 1;
    CSS.highlights.set('found-now', now);
  } else CSS.highlights.delete('found-now');
}

function clearPaint(): void {
  if (!('highlights' in CSS)) return;
  CSS.highlights.delete('found');
  CSS.highlights.delete('found-now');
}

/** Matches in the area, found again when the text changes; `version` stands for the text. */
function useMatches(scroller: RefObject<HTMLElement | null>, query: string, version: unknown) {
  const [ranges, setRanges] = useState<readonly Range[]>([]);
  const [at, setAt] = useState(0);
  useEffect(() => setAt(0), [query]);
  useEffect(() => {
    const timer = setTimeout(() => setRanges(scroller.current ? rangesIn(scroller.current, query) : []), 120);
    return () => clearTimeout(timer);
  }, [scroller, query, version]);
  const place = ranges.length === 0 ? -1 : Math.min(at, ranges.length - 1);
  useEffect(() => {
    paint(ranges, ranges[place]);
    return clearPaint;
  }, [ranges, place]);
  const show = useCallback(
    (next: number) => {
      if (ranges.length === 0) return;
      const index = (next + ranges.length) % ranges.length;
      setAt(index);
      ranges[index]?.startContainer.parentElement?.scrollIntoView({ block: 'center' });
    },
    [ranges],
  );
  return { count: ranges.length, place, show };
}

/** Search in the open conversation. */
export function FindBar(props: {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly version: unknown;
}): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const nonce = useUi((state) => state.find.nonce);
  const field = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState('');
  const { count, place, show } = useMatches(props.scroller, query, props.version);
  useEffect(() => field.current?.select(), [nonce]);
  useEffect(() => {
    if (count > 0 && place === 0) show(0);
    // Only a new search moves the reader, not each new piece of text.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [query, count > 0]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') show(place + (event.shiftKey ? -1 : 1));
    else if (event.key === 'Escape') actions.closeFind();
    else return;
    event.preventDefault();
  };
  const words =
    query === ''
      ? ''
      : count === 0
        ? t('find.none')
        : t('find.place', { at: place + 1, total: count >= maxMatches ? `${maxMatches}+` : count });
  return (
    <search className="find-bar" aria-label={t('find.label')}>
      <input
        ref={field}
        className="input"
        type="text"
        aria-label={t('find.label')}
        placeholder={t('find.label')}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <span className="find-count" role="status">
        {words}
      </span>
      <IconButton
        small
        icon={ChevronUp}
        label={t('find.previous')}
        disabled={count === 0}
        onClick={() => show(place - 1)}
      />
      <IconButton
        small
        icon={ChevronDown}
        label={t('find.next')}
        disabled={count === 0}
        onClick={() => show(place + 1)}
      />
      <IconButton small icon={X} label={t('find.close')} onClick={actions.closeFind} />
    </search>
  );
}
