import { ImageOff } from 'lucide-react';
import { memo, useMemo, type ComponentProps, type KeyboardEvent, type ReactNode } from 'react';
import ReactMarkdown, { type Components, type ExtraProps } from 'react-markdown';
import rehypeHighlight from 'rehype-highlight';
import remarkGfm from 'remark-gfm';
import { useText } from '../../messages/use-text';
import { useActions } from '../../state/use-app';
import { CodeBlock } from './code-block';
import { rehypeHiddenMarks } from './hidden-nodes';
import { imageHost, safeLink } from './safe-link';
import './markdown.css';

type Props<T extends keyof React.JSX.IntrinsicElements> = ComponentProps<T> & ExtraProps;

/** Highlighting costs time with every piece that streams in; longer texts go without. */
const highlightUpTo = 60_000;

function Link({ href, children }: Props<'a'>): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const link = safeLink(href);
  if (!link) return <span className="dead-link">{children}</span>;
  const open = (): void => actions.openLink(link.url);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') open();
  };
  // No href: nothing but this click can follow the link, and it leads to main's own question.
  return (
    <span
      className="markdown-link"
      role="link"
      tabIndex={0}
      title={t('markdown.link', { url: link.url })}
      onClick={open}
      onKeyDown={onKeyDown}
    >
      {children}
    </span>
  );
}

function Picture({ src, alt }: Props<'img'>): ReactNode {
  const { t } = useText();
  const host = imageHost(typeof src === 'string' ? src : undefined);
  return (
    <span className="blocked-image">
      <ImageOff size={14} aria-hidden />
      {alt === undefined || alt === '' ? t('markdown.image') : alt}
      <span className="muted">
        {host === null ? t('markdown.not_loaded') : t('markdown.not_loaded_from', { host })}
      </span>
    </span>
  );
}

function Table({ children }: Props<'table'>): ReactNode {
  const { t } = useText();
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={t('markdown.table')}>
      <table>{children}</table>
    </div>
  );
}

function TaskBox({ checked }: Props<'input'>): ReactNode {
  const { t } = useText();
  return (
    <input
      type="checkbox"
      checked={checked === true}
      disabled
      readOnly
      aria-label={checked ? t('markdown.task_done') : t('markdown.task_open')}
    />
  );
}

// Headings of an answer stand below those of the page.
const components: Components = {
  a: Link,
  img: Picture,
  table: Table,
  pre: CodeBlock,
  input: TaskBox,
  h1: ({ children }) => <h3 className="md-h1">{children}</h3>,
  h2: ({ children }) => <h4 className="md-h2">{children}</h4>,
  h3: ({ children }) => <h5 className="md-h3">{children}</h5>,
  h4: ({ children }) => <h5 className="md-h3">{children}</h5>,
  h5: ({ children }) => <h5 className="md-h3">{children}</h5>,
};

const keepUrl = (url: string): string => url;

/** A model's text. No raw HTML, nothing remote, links through one gate. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }): ReactNode {
  const rehype = useMemo(
    () =>
      text.length > highlightUpTo
        ? [rehypeHiddenMarks]
        : [rehypeHiddenMarks, [rehypeHighlight, { detect: false }] as const],
    [text.length],
  );
  return (
    <div className="markdown">
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        rehypePlugins={rehype as NonNullable<ComponentProps<typeof ReactMarkdown>['rehypePlugins']>}
        components={components}
        urlTransform={keepUrl}
        skipHtml
      >
        {text}
      </ReactMarkdown>
    </div>
  );
});
