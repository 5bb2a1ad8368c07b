import { useMemo, type ReactNode } from 'react';
import type { DefinitionChange, JsonObject } from '../../../../src-preload/contract';
import { useText } from '../../../messages/use-text';
import { ChangeList } from '../../../ui/change-list';
import { jsonChanges } from '../../../ui/json-changes';
import { VisibleText } from '../../../ui/visible-text';
import { wordDiff, type WordPiece } from './word-diff';
import './argument-changes.css';

interface TextChange {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

function isTextChange(change: DefinitionChange): change is DefinitionChange & TextChange {
  return typeof change.before === 'string' && typeof change.after === 'string';
}

function Piece({ piece }: { readonly piece: WordPiece }): ReactNode {
  const { t } = useText();
  if (piece.type === 'skipped') {
    return <i className="word-skipped"> … {t('editing.changes.skipped', { count: piece.count })} … </i>;
  }
  if (piece.type === 'same') return <VisibleText text={piece.text} />;
  const Tag = piece.type === 'removed' ? 'del' : 'ins';
  return (
    <Tag className={`word-${piece.type}`}>
      <span className="visually-hidden"> [{t(`editing.changes.${piece.type}`)} </span>
      <VisibleText text={piece.text} />
      <span className="visually-hidden"> {t('editing.changes.end')}] </span>
    </Tag>
  );
}

function TextChangeView({ change }: { readonly change: TextChange }): ReactNode {
  const pieces = useMemo(() => wordDiff(change.before, change.after), [change.before, change.after]);
  return (
    <li>
      <code className="mono break">
        <VisibleText text={change.path} />
      </code>
      <p className="word-change">
        {pieces.map((piece, index) => (
          <Piece key={index} piece={piece} />
        ))}
      </p>
    </li>
  );
}

/** What a person changed in the arguments of a call: texts word by word, all else with both values. */
export function ArgumentChanges(props: {
  readonly before: JsonObject;
  readonly after: JsonObject;
}): ReactNode {
  const { t } = useText();
  const changes = useMemo(() => jsonChanges(props.before, props.after), [props.before, props.after]);
  const texts = changes.filter(isTextChange);
  const others = changes.filter((change) => !isTextChange(change));
  if (changes.length === 0) return <p className="muted small">{t('editing.changes.none')}</p>;
  return (
    <div className="argument-changes">
      {texts.length === 0 ? null : (
        <ul className="change-list">
          {texts.map((change) => (
            <TextChangeView key={change.path} change={change} />
          ))}
        </ul>
      )}
      {others.length === 0 ? null : (
        <ChangeList
          changes={others}
          before={t('editing.changes.before')}
          after={t('editing.changes.after')}
        />
      )}
    </div>
  );
}
