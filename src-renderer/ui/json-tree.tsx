import { ChevronRight } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { isJsonObject, type Json } from '../../src-preload/contract';
import { useText } from '../messages/use-text';
import { LongText } from './long-text';
import { VisibleText } from './visible-text';
import './json-tree.css';

interface Options {
  /** Levels that stand open at first. */
  readonly openLevels: number;
  /** Members shown before "show more". `Infinity` never folds. */
  readonly step: number;
}

function Scalar({ value }: { readonly value: string | number | boolean | null }): ReactNode {
  if (typeof value === 'string') {
    return (
      <span className="json-string">
        <LongText text={value} />
      </span>
    );
  }
  return <span className={value === null ? 'json-null' : 'json-literal'}>{String(value)}</span>;
}

function Members(props: {
  readonly entries: readonly (readonly [string, Json])[];
  readonly level: number;
  readonly options: Options;
}): ReactNode {
  const { t } = useText();
  const [shown, setShown] = useState(props.options.step);
  const rest = props.entries.length - shown;
  return (
    <ul className="json-members">
      {props.entries.slice(0, shown).map(([key, value]) => (
        <Member key={key} name={key} value={value} level={props.level} options={props.options} />
      ))}
      {rest > 0 ? (
        <li>
          <button
            type="button"
            className="link-button small"
            onClick={() => setShown(shown + props.options.step * 4)}
          >
            {t('json.more', { count: rest })}
          </button>
        </li>
      ) : null}
    </ul>
  );
}

function entriesOf(value: Json): (readonly [string, Json])[] | null {
  if (Array.isArray(value)) return value.map((item, index) => [String(index), item as Json] as const);
  if (!isJsonObject(value)) return null;
  return Object.entries(value).map(([key, item]) => [key, item ?? null] as const);
}

function Member(props: {
  readonly name: string;
  readonly value: Json;
  readonly level: number;
  readonly options: Options;
}): ReactNode {
  const { t } = useText();
  const [open, setOpen] = useState(props.level < props.options.openLevels);
  const entries = entriesOf(props.value);
  const name = (
    <span className="json-key">
      <VisibleText text={props.name} />
    </span>
  );
  if (entries === null) {
    return (
      <li className="json-member">
        {name}
        <Scalar value={props.value as string | number | boolean | null} />
      </li>
    );
  }
  const kind = Array.isArray(props.value) ? 'json.list' : 'json.object';
  return (
    <li className="json-branch">
      <button type="button" className="json-toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
        <ChevronRight size={12} aria-hidden className={open ? 'turned' : ''} />
        {name}
        <span className="json-count">{t(kind, { count: entries.length })}</span>
      </button>
      {open ? <Members entries={entries} level={props.level + 1} options={props.options} /> : null}
    </li>
  );
}

/** A JSON value as a tree that folds. With `whole`, everything stands open and nothing is left out. */
export function JsonTree(props: { readonly value: Json; readonly whole?: boolean }): ReactNode {
  const { t } = useText();
  const options: Options = props.whole
    ? { openLevels: Infinity, step: Infinity }
    : { openLevels: 2, step: 50 };
  const entries = entriesOf(props.value);
  if (entries === null) return <Scalar value={props.value as string | number | boolean | null} />;
  if (entries.length === 0) return <p className="muted small">{t('json.empty')}</p>;
  return (
    <div className="json-tree">
      <Members entries={entries} level={1} options={options} />
    </div>
  );
}
