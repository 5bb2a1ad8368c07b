import { useState, type ReactNode } from 'react';
import { formatBytes } from '../messages/format';
import { useText } from '../messages/use-text';
import { VisibleText } from './visible-text';

/** UTF-16 units that are shown at once; more comes in steps, so that no result can freeze the window. */
export const textStep = 20_000;

/** Where a text may be cut near `end` without tearing a pair of surrogates. */
export function cutAt(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return end < text.length && code >= 0xd800 && code <= 0xdbff ? end - 1 : end;
}

/** Parts of a name that stay when it is too long for a line: its beginning and its end. */
const [keptHead, keptTail] = [64, 40];

/** A name from outside, short enough for a line; a long one is cut in the middle, visibly. */
export function middleCut(text: string): string {
  if (text.length <= keptHead + keptTail) return text;
  const tail = text.slice(cutAt(text, text.length - keptTail));
  return `${text.slice(0, cutAt(text, keptHead))} … ${tail}`;
}

/** Text from outside, hidden characters marked, long ones folded with their size said. */
export function LongText(props: { readonly text: string; readonly whole?: boolean }): ReactNode {
  const { t, language } = useText();
  const [shown, setShown] = useState(textStep);
  if (props.whole || props.text.length <= shown) return <VisibleText text={props.text} />;
  const end = cutAt(props.text, shown);
  return (
    <>
      <VisibleText text={props.text.slice(0, end)} />
      <span className="long-text-more">
        {t('long_text.hidden', { size: formatBytes(props.text.length - end, language) })}{' '}
        <button type="button" className="link-button" onClick={() => setShown(shown + textStep * 5)}>
          {t('long_text.more')}
        </button>
      </span>
    </>
  );
}
