import { UnfoldVertical } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { useText } from '../messages/use-text';
import { lineDiff, type DiffLine, type DiffPart, type TextDiff } from './line-diff';
import { VisibleText } from './visible-text';
import './diff-view.css';

const signs = { same: ' ', removed: '−', added: '+' } as const;
/** Lines of one block, which the browser lays out only once it comes near the screen. */
const blockLines = 100;

function Words({ line }: { readonly line: DiffLine }): ReactNode {
  if (!line.words) return <VisibleText text={line.text} />;
  const Mark = line.type === 'removed' ? 'del' : 'ins';
  return line.words.map((word, index) =>
    word.marked ? (
      <Mark key={index}>
        <VisibleText text={word.text} />
      </Mark>
    ) : (
      <VisibleText key={index} text={word.text} />
    ),
  );
}

function Line({ line }: { readonly line: DiffLine }): ReactNode {
  const { t } = useText();
  return (
    <div className={`diff-line ${line.type}`}>
      <span className="diff-number">{line.before}</span>
      <span className="diff-number">{line.after}</span>
      <span className="diff-sign" aria-hidden>
        {signs[line.type]}
      </span>
      <span className="diff-text">
        {line.type === 'same' ? null : <span className="visually-hidden">{t(`diff.${line.type}`)}: </span>}
        <Words line={line} />
      </span>
    </div>
  );
}

function Lines({ lines }: { readonly lines: readonly DiffLine[] }): ReactNode {
  const blocks = Math.ceil(lines.length / blockLines);
  return Array.from({ length: blocks }, (_, block) => (
    <div key={block} className={blocks > 3 ? 'diff-block' : undefined}>
      {lines.slice(block * blockLines, (block + 1) * blockLines).map((line, index) => (
        <Line key={index} line={line} />
      ))}
    </div>
  ));
}

function Part({ part }: { readonly part: DiffPart }): ReactNode {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  if (part.type === 'lines' || open) return <Lines lines={part.lines} />;
  return (
    <button type="button" className="diff-fold" aria-expanded={false} onClick={() => setOpen(true)}>
      <UnfoldVertical size={13} aria-hidden />
      {t('diff.fold', { count: part.lines.length })}
    </button>
  );
}

export function useTextDiff(before: string | null, after: string | null): TextDiff {
  return useMemo(() => lineDiff(before, after), [before, after]);
}

/** Two texts line by line, with numbers and signs; only what is unchanged may be folded. */
export function DiffView({ diff }: { readonly diff: TextDiff }): ReactNode {
  const { t } = useText();
  const { before, after } = diff.open_end;
  return (
    <div className="diff-view">
      {diff.too_different ? <p className="diff-note">{t('diff.too_different')}</p> : null}
      {diff.parts.map((part, index) => (
        <Part key={index} part={part} />
      ))}
      {before && !after && diff.removed > 0 ? <p className="diff-note">{t('diff.no_end_before')}</p> : null}
      {after ? <p className="diff-note">{t('diff.no_end_after')}</p> : null}
    </div>
  );
}
