import type { ReactNode } from 'react';
import { useText, type MessageKey } from '../../messages/use-text';
import '../../ui/filter-bar.css';
import { Picker } from '../../ui/picker';
import type { ClassFilter, ToolFilter } from './listed-tools';

const classes: Readonly<Record<ClassFilter, MessageKey>> = {
  all: 'server_tools.filter.class.all',
  unvetted: 'server_tools.filter.class.unvetted',
  read: 'server_tools.class.read',
  write: 'server_tools.class.write',
  exec: 'server_tools.class.exec',
  unusable: 'server_tools.filter.class.unusable',
};

const hints: Readonly<Record<ToolFilter['hint'], MessageKey>> = {
  all: 'server_tools.filter.hint.all',
  reads: 'server_tools.filter.hint.reads',
  writes: 'server_tools.filter.hint.writes',
  silent: 'server_tools.filter.hint.silent',
};

function FilterPicker<T extends string>(props: {
  readonly label: string;
  readonly value: T;
  readonly words: Readonly<Record<T, MessageKey>>;
  readonly onChoose: (value: T) => void;
}): ReactNode {
  const { t } = useText();
  const ids = Object.keys(props.words) as T[];
  return (
    <Picker
      label={props.label}
      value={props.value}
      shown={t(props.words[props.value])}
      options={ids.map((id) => ({ id, label: t(props.words[id]) }))}
      onChoose={(id) => props.onChoose(id as T)}
    />
  );
}

export function ToolFilterBar(props: {
  readonly filter: ToolFilter;
  readonly onChange: (filter: ToolFilter) => void;
}): ReactNode {
  const { t } = useText();
  const { filter, onChange } = props;
  return (
    <search className="filter-bar" aria-label={t('server_tools.filter')}>
      <input
        type="search"
        className="input"
        aria-label={t('server_tools.filter.text')}
        placeholder={t('server_tools.filter.text')}
        spellCheck={false}
        value={filter.text}
        onChange={(event) => onChange({ ...filter, text: event.target.value })}
      />
      <FilterPicker
        label={t('server_tools.filter.class')}
        value={filter.class}
        words={classes}
        onChoose={(next) => onChange({ ...filter, class: next })}
      />
      <FilterPicker
        label={t('server_tools.filter.hint')}
        value={filter.hint}
        words={hints}
        onChoose={(next) => onChange({ ...filter, hint: next })}
      />
    </search>
  );
}
