import { type ReactNode } from 'react';
import type { CallRow, DecisionRule, GrantEntry } from '../../../src-preload/contract';
import { RichText, useText, type Text } from '../../messages/use-text';
import { useGrants, useRevoke } from '../../state/use-grants';
import { FailureNote } from '../../ui/failure-note';
import { PatternView } from '../../ui/pattern-view';

export function ruleOf(row: CallRow): DecisionRule | null {
  return row.finished?.data.rule ?? row.started?.data.rule ?? null;
}

/** Who set the rule, when, and how far it reaches; empty where an older record says none of it. */
export function ruleWords(rule: DecisionRule, t: Text, language: string): string {
  const words: string[] = [];
  if (rule.by !== undefined) {
    const who = t(`grant.by.${rule.by}`);
    const date =
      rule.at === undefined
        ? null
        : new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(
            new Date(rule.at),
          );
    words.push(date === null ? t('grant.set_by', { who }) : t('grant.set_by_at', { who, date }));
  }
  if (rule.scope !== undefined) words.push(t('grant.reaches', { reach: t(`grant.reach.${rule.scope}`) }));
  return words.length === 0 ? '' : `${words.join('; ')}.`;
}

/** The permission that the call ran by, with a way to take it back while it is in force. */
function GrantOf({ entry }: { readonly entry: GrantEntry }): ReactNode {
  const { t } = useText();
  const { busy, error, revoke } = useRevoke(entry.grant.grant_id);
  const pattern = entry.grant.pattern ?? [];
  return (
    <>
      <p className="rule-pattern">
        <RichText message="grant.covers" slots={{ what: <PatternView key="what" pattern={pattern} /> }} />
      </p>
      {entry.ended ? (
        <p className="muted">{t(`grant.ended.${entry.ended.how}`)}</p>
      ) : (
        <button type="button" className="link-button" aria-disabled={busy} onClick={revoke}>
          {t('grant.undo')}
        </button>
      )}
      {error ? <FailureNote failure={error} announce /> : null}
    </>
  );
}

/** The rule that let a call run or stopped it: in words, who made it and when, and how to take it back. */
export function RowRule({ rule }: { readonly rule: DecisionRule }): ReactNode {
  const { t, language } = useText();
  const { grant_id } = rule;
  const grants = useGrants(grant_id !== undefined);
  const entry =
    grants.status === 'ready' ? grants.value.find(({ grant }) => grant.grant_id === grant_id) : undefined;
  const words = ruleWords(rule, t, language);
  return (
    <div className="row-rule">
      <p>
        {t(`rule.${rule.rule}`)} {words === '' ? null : <span className="muted">{words}</span>}
      </p>
      {entry ? <GrantOf entry={entry} /> : null}
    </div>
  );
}
