import type { ReactNode } from 'react';
import {
  rowArguments,
  type ArgumentsFact,
  type CallRow,
  type Json,
  type JsonObject,
} from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { ChangeList } from '../../ui/change-list';
import { jsonChanges } from '../../ui/json-changes';
import { JsonTree } from '../../ui/json-tree';
import { LongText } from '../../ui/long-text';
import { VisibleText } from '../../ui/visible-text';
import { DetailSection } from './detail-section';
import { withheldBy } from './guardrail-facts';

/** Withheld arguments: by whom, and the digest that is all of them that is kept (S1-85). */
function WithheldBody({ row }: { readonly row: CallRow }): ReactNode {
  const { t } = useText();
  const { guardrail, digest } = withheldBy(row);
  return (
    <p className="muted break">
      {guardrail === null ? (
        t('arguments.withheld')
      ) : (
        <VisibleText text={t('arguments.withheld_by', { name: guardrail })} />
      )}{' '}
      {digest === null ? null : (
        <span>
          {t('arguments.withheld_digest')}{' '}
          <code className="mono" title={digest}>
            {digest.slice(0, 16)}…
          </code>
        </span>
      )}
    </p>
  );
}

function ArgumentsBody({ fact, row }: { readonly fact: ArgumentsFact; readonly row: CallRow }): ReactNode {
  const { t } = useText();
  switch (fact.type) {
    case 'absent':
      return <p className="muted">{t('arguments.absent')}</p>;
    case 'withheld':
      return <WithheldBody row={row} />;
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

export const printJson = (value: Json | undefined): string => JSON.stringify(value, null, 2) ?? '';

function copyOf(fact: ArgumentsFact): string | undefined {
  if (fact.type === 'value') return printJson(fact.value);
  return fact.type === 'malformed' ? fact.text : undefined;
}

/** The arguments as the person edited them; null where they did not, or where nothing says what they edited. */
function editedOf(row: CallRow): { readonly before: JsonObject; readonly after: JsonObject } | null {
  for (const { requested, resolved } of row.approvals) {
    const after = resolved?.data.arguments;
    const before = requested?.data.arguments ?? null;
    if (after && before) return { before, after };
  }
  return null;
}

/** What the person changed before they allowed the call; what ran is said by itself. */
function EditedByPerson({ row }: { readonly row: CallRow }): ReactNode {
  const { t } = useText();
  const edited = editedOf(row);
  if (!edited) return null;
  return (
    <DetailSection title={t('arguments.edited_difference')}>
      <ChangeList
        changes={jsonChanges(edited.before, edited.after)}
        before={t('arguments.was_proposed')}
        after={t('arguments.was_edited')}
      />
    </DetailSection>
  );
}

/** Proposed, approved and released arguments: once where they are the same, else the differences before them. */
export function RowArguments({ row }: { readonly row: CallRow }): ReactNode {
  const { t } = useText();
  const edited = editedOf(row);
  const released = rowArguments(row);
  const proposed = row.proposed?.arguments ?? null;
  const hasRelease = row.started !== null || row.approvals.length > 0;
  const changes =
    released.type === 'value' && proposed !== null ? jsonChanges(proposed, released.value) : null;
  if (proposed === null || !hasRelease || changes?.length === 0) {
    return (
      <>
        <EditedByPerson row={row} />
        <DetailSection title={t('arguments.title')} copy={copyOf(released)}>
          <ArgumentsBody fact={released} row={row} />
        </DetailSection>
      </>
    );
  }
  const onlyEdit =
    edited !== null &&
    released.type === 'value' &&
    jsonChanges(edited.before, proposed).length === 0 &&
    jsonChanges(edited.after, released.value).length === 0;
  return (
    <>
      <EditedByPerson row={row} />
      {changes === null || onlyEdit ? null : (
        <DetailSection title={t('arguments.difference')}>
          <ChangeList
            changes={changes}
            before={t('arguments.was_proposed')}
            after={t('arguments.was_released')}
          />
        </DetailSection>
      )}
      <DetailSection title={t('arguments.proposed')} copy={printJson(proposed)}>
        <JsonTree value={proposed} />
      </DetailSection>
      {edited === null || onlyEdit ? null : (
        <DetailSection title={t('arguments.approved')} copy={printJson(edited.after)}>
          <JsonTree value={edited.after} />
        </DetailSection>
      )}
      <DetailSection
        title={t(onlyEdit ? 'arguments.approved' : 'arguments.released')}
        copy={copyOf(released)}
      >
        <ArgumentsBody fact={released} row={row} />
      </DetailSection>
    </>
  );
}
