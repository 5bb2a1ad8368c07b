import { useMemo, type ReactNode } from 'react';
import type { CoworkerCard, GrantEntry, LastingScope } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { Picker } from '../../ui/picker';
import type { GrantFilter } from './listed-grants';

/** No coworker has this id: ids are kebab case. */
const everyone = '*';

function CoworkerPicker(props: {
  readonly entries: readonly GrantEntry[];
  readonly coworkers: ReadonlyMap<string, CoworkerCard>;
  readonly filter: GrantFilter;
  readonly onChange: (change: Partial<GrantFilter>) => void;
}): ReactNode {
  const { t } = useText();
  const { entries, coworkers, filter } = props;
  const ids = useMemo(() => [...new Set(entries.map(({ grant }) => grant.coworker_id))], [entries]);
  const name = (id: string): string => coworkers.get(id)?.name ?? t('ledger.coworker_gone', { coworker: id });
  return (
    <Picker
      label={t('ledger.filter.coworker')}
      value={filter.coworker_id ?? everyone}
      shown={filter.coworker_id === null ? t('ledger.filter.all_coworkers') : name(filter.coworker_id)}
      options={[
        { id: everyone, label: t('ledger.filter.all_coworkers') },
        ...ids.map((id) => ({ id, label: name(id) })),
      ]}
      onChoose={(id) => props.onChange({ coworker_id: id === everyone ? null : id })}
    />
  );
}

export function GrantFilterBar(props: {
  readonly entries: readonly GrantEntry[];
  readonly coworkers: ReadonlyMap<string, CoworkerCard>;
  readonly filter: GrantFilter;
  readonly onChange: (change: Partial<GrantFilter>) => void;
}): ReactNode {
  const { t } = useText();
  const { filter, onChange } = props;
  const scopeWords = (scope: LastingScope | null): string =>
    scope === null ? t('ledger.filter.all_scopes') : t(`ledger.scope.${scope}`);
  return (
    <search className="filter-bar" aria-label={t('ledger.filter')}>
      <input
        type="search"
        className="input"
        aria-label={t('ledger.filter.tool')}
        placeholder={t('ledger.filter.tool')}
        spellCheck={false}
        value={filter.text}
        onChange={(event) => onChange({ text: event.target.value })}
      />
      <CoworkerPicker {...props} />
      <Picker
        label={t('ledger.filter.scope')}
        value={filter.scope ?? everyone}
        shown={scopeWords(filter.scope)}
        options={[null, 'session' as const, 'coworker' as const].map((scope) => ({
          id: scope ?? everyone,
          label: scopeWords(scope),
        }))}
        onChoose={(id) => onChange({ scope: id === 'session' || id === 'coworker' ? id : null })}
      />
      <Picker
        label={t('ledger.sort')}
        value={filter.sort}
        shown={t(`ledger.sort.${filter.sort}`)}
        options={(['used', 'made'] as const).map((id) => ({ id, label: t(`ledger.sort.${id}`) }))}
        onChoose={(id) => onChange({ sort: id === 'made' ? 'made' : 'used' })}
      />
    </search>
  );
}
