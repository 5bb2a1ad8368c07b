import { memo, type ReactNode } from 'react';
import { useText } from '../messages/use-text';
import { markHidden, mayHide, type TextPiece } from './mark-hidden';
import './visible-text.css';

function Mark({ piece }: { readonly piece: Exclude<TextPiece, { type: 'text' }> }): ReactNode {
  const { t } = useText();
  if (piece.type === 'blank') {
    const label = piece.kind === 'lines' ? 'hidden.lines' : 'hidden.spaces';
    return <mark className="hidden-mark blank">{t(label, { count: piece.count })}</mark>;
  }
  return (
    <mark className="hidden-mark" title={t(`hidden.${piece.kind}`)}>
      {piece.code}
      <span className="visually-hidden"> ({t(`hidden.${piece.kind}`)})</span>
    </mark>
  );
}

/** Text from outside, with everything that cannot be seen made visible. */
export const VisibleText = memo(function VisibleText({ text }: { readonly text: string }): ReactNode {
  if (!mayHide(text)) return text;
  return markHidden(text).map((piece, index) =>
    piece.type === 'text' ? piece.text : <Mark key={index} piece={piece} />,
  );
});
