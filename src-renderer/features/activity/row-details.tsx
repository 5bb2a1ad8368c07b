import type { ReactNode } from 'react';
import { rowName, rowProgress, type CallRow, type TurnView } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { FailureNote } from '../../ui/failure-note';
import { GuardrailList } from '../../ui/guardrail-list';
import { VisibleText } from '../../ui/visible-text';
import { DetailSection } from './detail-section';
import { guardrailFacts } from './guardrail-facts';
import { ResultView } from './result-view';
import { RowArguments } from './row-arguments';
import { RowFacts } from './row-facts';
import { settleQuestion } from './settle-call';

function ProgressLog({ row }: { readonly row: CallRow }): ReactNode {
  const { t, language } = useText();
  const entries = rowProgress(row);
  if (entries.length === 0) return null;
  const percent = new Intl.NumberFormat(language, { style: 'percent' });
  return (
    <DetailSection title={t('activity.progress_log')}>
      <ol className="progress-log">
        {entries.slice(-200).map((entry) => (
          <li key={entry.index}>
            <span>
              <VisibleText text={entry.message} />
            </span>
            {entry.fraction === undefined ? null : (
              <span className="muted">{percent.format(entry.fraction)}</span>
            )}
          </li>
        ))}
      </ol>
    </DetailSection>
  );
}

function Guardrails({ row }: { readonly row: CallRow }): ReactNode {
  const { t } = useText();
  const facts = guardrailFacts(row);
  if (facts.length === 0) return null;
  return (
    <DetailSection title={t('guardrail.title')}>
      <GuardrailList facts={facts} />
    </DetailSection>
  );
}

/** Everything that is known of one call. */
export function RowDetails(props: {
  readonly id: string;
  readonly sessionId: string;
  readonly turn: TurnView;
  readonly row: CallRow;
}): ReactNode {
  const { t } = useText();
  const { row } = props;
  const finished = row.finished?.data;
  const question = settleQuestion(row, props.turn);
  return (
    <div
      className="row-details"
      id={props.id}
      role="group"
      aria-label={t('activity.details', { tool: rowName(row) })}
    >
      {question ? <p className="unclear-note">{t(`outcome.${question}.detail`)}</p> : null}
      {finished?.error ? <FailureNote failure={finished.error} /> : null}
      <RowArguments row={row} />
      <Guardrails row={row} />
      {finished?.result ? (
        <DetailSection title={t('result.title')} copy={finished.result.text}>
          <ResultView sessionId={props.sessionId} result={finished.result} />
        </DetailSection>
      ) : null}
      <ProgressLog row={row} />
      <RowFacts row={row} turn={props.turn} />
    </div>
  );
}
