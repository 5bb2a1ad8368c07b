import type { ReactNode } from 'react';
import type { DefinitionChange, Json } from '../../src-preload/contract';
import { useText } from '../messages/use-text';
import { JsonTree } from './json-tree';
import { VisibleText } from './visible-text';
import './change-list.css';

function Value(props: {
  readonly name: string;
  readonly value: Json | undefined;
  readonly tone: 'before' | 'after';
}): ReactNode {
  const { t } = useText();
  return (
    <div className={`change-value ${props.tone}`}>
      <dt>{props.name}</dt>
      <dd>
        {props.value === undefined ? (
          <i className="muted">{t('change.absent')}</i>
        ) : props.value === '' ? (
          <i className="muted">{t('arguments.empty_text')}</i>
        ) : (
          <JsonTree value={props.value} />
        )}
      </dd>
    </div>
  );
}

/** Differences field by field: where, what it was, what it is. */
export function ChangeList(props: {
  readonly changes: readonly DefinitionChange[];
  readonly before: string;
  readonly after: string;
}): ReactNode {
  const { t } = useText();
  return (
    <ul className="change-list">
      {props.changes.map((change) => (
        <li key={change.path}>
          <code className="mono break">
            <VisibleText text={change.path === '' ? t('change.whole') : change.path} />
          </code>
          <dl>
            <Value name={props.before} value={change.before} tone="before" />
            <Value name={props.after} value={change.after} tone="after" />
          </dl>
        </li>
      ))}
    </ul>
  );
}
