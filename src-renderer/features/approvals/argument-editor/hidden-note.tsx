import { TriangleAlert } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { useText } from '../../../messages/use-text';
import { VisibleText } from '../../../ui/visible-text';
import { hiddenExcerpts } from './escape-hidden';

const mostShown = 4;

/** Says which characters of a text cannot be seen, beside a field that cannot mark them. */
export function HiddenNote(props: { readonly id: string; readonly text: string }): ReactNode {
  const { t } = useText();
  const { count, excerpts } = useMemo(() => hiddenExcerpts(props.text, mostShown), [props.text]);
  if (count === 0) return null;
  return (
    <div className="editing-hidden" id={props.id}>
      <p>
        <TriangleAlert size={14} aria-hidden />
        {t('editing.hidden', { count })}
      </p>
      <ul>
        {excerpts.map((excerpt, index) => (
          <li key={index} className="break">
            {excerpt.cutBefore ? '…' : null}
            <VisibleText text={excerpt.text} />
            {excerpt.cutAfter ? '…' : null}
          </li>
        ))}
      </ul>
      {excerpts.length === mostShown && count > mostShown ? <p>{t('editing.hidden_more')}</p> : null}
    </div>
  );
}
