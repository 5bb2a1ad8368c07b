import type { ReactNode } from 'react';
import {
  rowArguments,
  rowName,
  rowProgress,
  rowState,
  type ArgumentsFact,
  type CallRow,
  type Json,
  type TurnView,
} from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { useActions } from '../../state/use-app';
import { CopyButton } from '../../ui/buttons';
import { FailureNote } from '../../ui/failure-note';
import { JsonTree } from '../../ui/json-tree';
import { LongText } from '../../ui/long-text';
import { VisibleText } from '../../ui/visible-text';
import { ResultView } from './result-view';
import { RowFacts } from './row-facts';

function Section(props: {
  readonly title: string;
  readonly copy?: string | undefined;
  readonly children: ReactNode;
}): ReactNode {
  const { t } = useText();
  const actions = useActions();
  return (
    <section className="detail-section">
      <div className="detail-head">
        <h3>{props.title}</h3>
        {props.copy === undefined ? null : (
          <CopyButton
            text={props.copy}
            label={t('activity.copy', { what: props.title })}
            copy={actions.copy}
          />
        )}
      </div>
      {props.children}
    </section>
  );
}

function ArgumentsBody({ fact }: { readonly fact: ArgumentsFact }): ReactNode {
  const { t } = useText();
  switch (fact.type) {
    case 'absent':
      return <p className="muted">{t('arguments.absent')}</p>;
    case 'withheld':
      return <p className="muted">{t('arguments.withheld')}</p>;
    case 'malformed':
      return (
        <>
          <p className="muted">{t('arguments.malformed')}</p>
          <pre className="raw-text">
            <LongText text={fact.text} />
          </pre>
        </>
      );
    case 'value':
      return Object.keys(fact.value).length === 0 ? (
        <p className="muted">{t('arguments.none')}</p>
      ) : (
        <JsonTree value={fact.value} />
      );
  }
}

const print = (value: Json | undefined): string => JSON.stringify(value, null, 2) ?? '';

/** Proposed and released arguments; once where they are the same. */
function Arguments({ row }: { readonly row: CallRow }): ReactNode {
  const { t } = useText();
  const released = rowArguments(row);
  const proposed = row.proposed?.arguments ?? null;
  const same = released.type === 'value' && print(released.value) === print(proposed);
  const hasRelease = row.started !== null || row.approvals.length > 0;
  const copyOf = (fact: ArgumentsFact): string | undefined =>
    fact.type === 'value' ? print(fact.value) : fact.type === 'malformed' ? fact.text : undefined;
  if (same || !hasRelease || proposed === null) {
    return (
      <Section title={t('arguments.title')} copy={copyOf(released)}>
        <ArgumentsBody fact={released} />
      </Section>
    );
  }
  return (
    <>
      <Section title={t('arguments.proposed')} copy={print(proposed)}>
        <JsonTree value={proposed} />
      </Section>
      <Section title={t('arguments.released')} copy={copyOf(released)}>
        <ArgumentsBody fact={released} />
      </Section>
    </>
  );
}

function ProgressLog({ row }: { readonly row: CallRow }): ReactNode {
  const { t, language } = useText();
  const entries = rowProgress(row);
  if (entries.length === 0) return null;
  const percent = new Intl.NumberFormat(language, { style: 'percent' });
  return (
    <Section title={t('activity.progress_log')}>
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
    </Section>
  );
}

/** Everything that is known of one call. */
export function RowDetails(props: {
  readonly id: string;
  readonly turn: TurnView;
  readonly row: CallRow;
}): ReactNode {
  const { t } = useText();
  const { row } = props;
  const state = rowState(row, props.turn);
  const finished = row.finished?.data;
  const unclear = state === 'outcome_unknown' || state === 'cancelled_may_have_run';
  return (
    <div
      className="row-details"
      id={props.id}
      role="group"
      aria-label={t('activity.details', { tool: rowName(row) })}
    >
      {unclear ? <p className="unclear-note">{t(`outcome.${state}.detail`)}</p> : null}
      {finished?.error ? <FailureNote failure={finished.error} /> : null}
      <Arguments row={row} />
      {finished?.result ? (
        <Section title={t('result.title')} copy={finished.result.text}>
          <ResultView result={finished.result} />
        </Section>
      ) : null}
      <ProgressLog row={row} />
      <RowFacts row={row} turn={props.turn} />
    </div>
  );
}
