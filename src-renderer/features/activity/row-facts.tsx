import type { ReactNode } from 'react';
import { rowName, type ApprovalFact, type CallRow, type TurnView } from '../../../src-preload/contract';
import { formatTime } from '../../messages/format';
import { useText, type Text } from '../../messages/use-text';
import { useActions } from '../../state/use-app';
import { CopyButton } from '../../ui/buttons';
import { VisibleText } from '../../ui/visible-text';
import { RowRule, ruleOf } from './row-rule';

function Fact(props: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div className="fact">
      <dt>{props.name}</dt>
      <dd className="break">{props.children}</dd>
    </div>
  );
}

function Id({ name, value }: { readonly name: string; readonly value: string }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  return (
    <Fact name={name}>
      <code className="mono">
        <VisibleText text={value} />
      </code>{' '}
      <CopyButton text={value} label={t('activity.copy', { what: name })} copy={actions.copy} />
    </Fact>
  );
}

function approvalWords(approval: ApprovalFact, t: Text, language: string): string {
  const resolved = approval.resolved;
  if (!resolved) return t('approval.outcome.open');
  const time = formatTime(resolved.at, language);
  const { outcome, by, scope } = resolved.data;
  const who = t(`approval.by.${by}`);
  if (outcome !== 'allowed') return t(`approval.outcome.${outcome}`, { who, time });
  const form = scope === 'session' || scope === 'coworker' ? (`_${scope}` as const) : '';
  return t(`approval.outcome.allowed${form}`, { who, time });
}

function Approvals({ row }: { readonly row: CallRow }): ReactNode {
  const { t, language } = useText();
  return row.approvals.map((approval) => (
    <Fact key={approval.approval_id} name={t('approval.title')}>
      {approvalWords(approval, t, language)}
      {approval.resolved?.data.arguments ? (
        <span className="tag approval-edited">{t('approval.edited_by_you')}</span>
      ) : null}
      {approval.resolved && approval.resolved.data.note !== '' ? (
        <q className="approval-note">
          <VisibleText text={approval.resolved.data.note} />
        </q>
      ) : null}
    </Fact>
  ));
}

/** Where and why a call ran, who allowed it, and the ids to find it again. */
export function RowFacts({ row, turn }: { readonly row: CallRow; readonly turn: TurnView }): ReactNode {
  const { t } = useText();
  const name = rowName(row);
  const selected = turn.started?.data.tools.find((tool) => tool.qualified_name === name);
  const facts = row.started?.data ?? row.approvals.at(-1)?.requested?.data ?? selected;
  const rule = ruleOf(row);
  const pin = row.approvals.at(-1)?.requested?.data.pin ?? selected?.pin;
  return (
    <dl className="row-facts">
      {facts ? (
        <>
          <Fact name={t('facts.runs')}>{t(`placement.${facts.placement}`)}</Fact>
          <Fact name={t('facts.can')}>{t(`classification.${facts.classification}`)}</Fact>
        </>
      ) : null}
      {rule ? (
        <Fact name={t('facts.rule')}>
          <RowRule rule={rule} />
        </Fact>
      ) : null}
      <Approvals row={row} />
      <Id name={t('facts.tool')} value={name} />
      <Id name={t('facts.call_id')} value={row.call_id} />
      <Id name={t('facts.turn_id')} value={row.turn_id} />
      {pin === undefined ? null : <Id name={t('facts.pin')} value={pin} />}
    </dl>
  );
}
