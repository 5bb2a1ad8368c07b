import type { ReactNode } from 'react';
import { useText } from '../../../messages/use-text';
import { VisibleText } from '../../../ui/visible-text';
import type { ArgumentDraft } from './draft';

const mostListed = 20;

/** Whether the draft fits the tool, in a sentence that is also read aloud; in the text view, with what does not. */
export function DraftSummary(props: {
  readonly draft: ArgumentDraft;
  readonly complete: boolean;
  readonly listed: boolean;
}): ReactNode {
  const { t } = useText();
  const { problems, value } = props.draft;
  const fits = problems.length === 0;
  const misfit = value === null ? t('editing.unreadable') : t('editing.problems', { count: problems.length });
  const words = fits ? t('editing.fits') : misfit;
  const shown = props.listed && value !== null ? problems.slice(0, mostListed) : [];
  return (
    <div className="editing-summary">
      <p role="status" className={fits ? 'muted' : 'field-error'}>
        {fits && !props.complete ? null : words}
        {props.complete ? null : ` ${t('editing.incomplete')}`}
      </p>
      {shown.length === 0 ? null : (
        <ul aria-label={t('editing.problems_list')}>
          {shown.map((problem, index) => (
            <li key={index} className="break">
              <code className="mono">
                <VisibleText text={problem.path === '' ? t('editing.whole') : problem.path} />
              </code>{' '}
              {problem.message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
