import type { Element, ElementContent } from 'hast';
import type { ComponentProps, ReactNode } from 'react';
import type { ExtraProps } from 'react-markdown';
import { useText } from '../../messages/use-text';
import { useActions } from '../../state/use-app';
import { CopyButton } from '../../ui/buttons';

function textOf(node: ElementContent): string {
  if (node.type === 'text') return node.value;
  return node.type === 'element' ? node.children.map(textOf).join('') : '';
}

function languageOf(node: Element | undefined): string | null {
  const code = node?.children.find((child) => child.type === 'element');
  const classes = code?.type === 'element' ? code.properties.className : null;
  if (!Array.isArray(classes)) return null;
  const name = classes.map(String).find((entry) => entry.startsWith('language-'));
  return name === undefined ? null : name.slice('language-'.length, 'language-'.length + 24);
}

export function CodeBlock({ node, children }: ComponentProps<'pre'> & ExtraProps): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const language = languageOf(node);
  const code = node ? node.children.map(textOf).join('') : '';
  return (
    <div className="code-block">
      <div className="code-head">
        <span>{language ?? t('markdown.code')}</span>
        <CopyButton
          text={code.replace(/\n$/, '')}
          label={t('markdown.copy_code')}
          copy={actions.copy}
          withText
        />
      </div>
      <pre
        tabIndex={0}
        role="region"
        aria-label={t('markdown.code_in', { language: language ?? t('markdown.code') })}
      >
        {children}
      </pre>
    </div>
  );
}
