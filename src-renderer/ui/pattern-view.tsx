import { Fragment, type ReactNode } from 'react';
import type { ArgumentCondition, ArgumentPattern, Json } from '../../src-preload/contract';
import { RichText, useText } from '../messages/use-text';
import { argumentName } from './narrow-kind';
import { VisibleText } from './visible-text';
import './pattern-view.css';

const valueText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

function Word({ text }: { readonly text: string }): ReactNode {
  return (
    <code className="pattern-word">
      <VisibleText text={text} />
    </code>
  );
}

function ConditionView({ condition }: { readonly condition: ArgumentCondition }): ReactNode {
  if (condition.type === 'command') {
    return (
      <RichText
        message="pattern.command"
        slots={{ words: <Word key="words" text={condition.words.join(' ')} /> }}
      />
    );
  }
  const name = <Word key="name" text={argumentName(condition.at)} />;
  switch (condition.type) {
    case 'exact': {
      const value = <Word key="value" text={valueText(condition.value)} />;
      return condition.at === '' ? (
        <RichText message="pattern.exact_all" slots={{ value }} />
      ) : (
        <RichText message="pattern.exact" slots={{ name, value }} />
      );
    }
    case 'folder':
      return condition.folder === '' || condition.folder === '.' ? (
        <RichText message="pattern.folder_session" slots={{ name }} />
      ) : (
        <RichText
          message="pattern.folder"
          slots={{ name, folder: <Word key="folder" text={condition.folder} /> }}
        />
      );
    case 'host':
      return (
        <RichText message="pattern.host" slots={{ name, host: <Word key="host" text={condition.host} /> }} />
      );
  }
}

/** What a permission is narrowed to, in plain words, whole. */
export function PatternView({ pattern }: { readonly pattern: ArgumentPattern }): ReactNode {
  const { t } = useText();
  if (pattern.length === 0) return t('narrow.any.short');
  return pattern.map((condition, index) => (
    <Fragment key={index}>
      {index > 0 ? ` ${t('pattern.and')} ` : null}
      <ConditionView condition={condition} />
    </Fragment>
  ));
}
