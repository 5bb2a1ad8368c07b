import { Check } from 'lucide-react';
import {
  Fragment,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { useText } from '../messages/use-text';

export interface PickerOption {
  readonly id: string;
  readonly label: string;
  readonly detail?: string;
  readonly group?: string;
  readonly disabled?: boolean;
}

export interface PickerListProps {
  readonly label: string;
  readonly value: string | null;
  readonly options: readonly PickerOption[];
  readonly onChoose: (id: string) => void;
  /** `refocus` gives the focus back to the button. */
  readonly close: (refocus: boolean) => void;
}

/** From this many options on there is a field to filter them. */
const filterFrom = 9;

function matching(options: readonly PickerOption[], filter: string): readonly PickerOption[] {
  const words = filter.trim().toLocaleLowerCase();
  if (words === '') return options;
  return options.filter((o) => `${o.label} ${o.group ?? ''}`.toLocaleLowerCase().includes(words));
}

function OptionRow(props: {
  readonly option: PickerOption;
  readonly id: string;
  readonly chosen: boolean;
  readonly active: boolean;
  readonly onChoose: () => void;
  readonly onHover: () => void;
}): ReactNode {
  const { option } = props;
  return (
    <li
      id={props.id}
      role="option"
      aria-selected={props.chosen}
      aria-disabled={option.disabled}
      className={props.active ? 'picker-option active' : 'picker-option'}
      onPointerMove={props.onHover}
      onClick={() => {
        if (!option.disabled) props.onChoose();
      }}
    >
      <span className="picker-check">{props.chosen ? <Check size={14} aria-hidden /> : null}</span>
      <span className="picker-text">
        <span className="picker-label">{option.label}</span>
        {option.detail === undefined ? null : <span className="picker-detail">{option.detail}</span>}
      </span>
    </li>
  );
}

/** Where the highlight begins: on what is chosen, else on the first that can be. */
function startAt(options: readonly PickerOption[], value: string | null): number {
  const chosen = options.findIndex((option) => option.id === value);
  return Math.max(0, chosen >= 0 ? chosen : options.findIndex((option) => !option.disabled));
}

interface ListState {
  readonly filter: string;
  readonly setFilter: (filter: string) => void;
  readonly shown: readonly PickerOption[];
  readonly at: number;
  readonly setActive: (at: number) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

function useListState(props: PickerListProps, listId: string): ListState {
  const [filter, setFilter] = useState('');
  const [active, setActive] = useState(() => startAt(props.options, props.value));
  const shown = useMemo(() => matching(props.options, filter), [props.options, filter]);
  const at = Math.min(active, shown.length - 1);
  useEffect(() => {
    document.getElementById(`${listId}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [at, listId]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const moves: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1 };
    const next = moves[event.key];
    const option = shown[at];
    if (next !== undefined) setActive((next + shown.length) % Math.max(1, shown.length));
    else if (event.key === 'Home') setActive(0);
    else if (event.key === 'End') setActive(shown.length - 1);
    else if (event.key === 'Escape') props.close(true);
    else if (event.key === 'Tab') props.close(false);
    else if (event.key === 'Enter' || (event.key === ' ' && props.options.length < filterFrom)) {
      if (option && !option.disabled) props.onChoose(option.id);
    } else return;
    if (event.key !== 'Tab') event.preventDefault();
    event.stopPropagation();
  };
  return { filter, setFilter, shown, at, setActive, onKeyDown };
}

function Rows(props: PickerListProps & { readonly state: ListState; readonly listId: string }): ReactNode {
  const { shown, at, setActive } = props.state;
  return shown.map((option, index) => {
    const first = option.group !== undefined && shown[index - 1]?.group !== option.group;
    return (
      <Fragment key={option.id}>
        {first ? (
          <li role="presentation" className="picker-group">
            {option.group}
          </li>
        ) : null}
        <OptionRow
          id={`${props.listId}-${index}`}
          option={option}
          chosen={option.id === props.value}
          active={index === at}
          onChoose={() => props.onChoose(option.id)}
          onHover={() => setActive(index)}
        />
      </Fragment>
    );
  });
}

/** The open list: arrow keys move, Enter chooses, Escape closes; long lists have a field to filter them. */
export function PickerList(props: PickerListProps): ReactNode {
  const { t } = useText();
  const listId = useId();
  const state = useListState(props, listId);
  const { shown, at, onKeyDown } = state;
  const list = useRef<HTMLUListElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const filters = props.options.length >= filterFrom;
  useEffect(() => (field.current ?? list.current)?.focus(), []);
  const activeId = shown.length > 0 ? `${listId}-${at}` : undefined;
  return (
    <>
      {filters ? (
        <input
          ref={field}
          className="input picker-filter"
          role="combobox"
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={activeId}
          aria-label={t('picker.filter')}
          placeholder={t('picker.filter')}
          value={state.filter}
          onChange={(event) => {
            state.setFilter(event.target.value);
            state.setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
      ) : null}
      <ul
        ref={list}
        id={listId}
        role="listbox"
        className="picker-list"
        aria-label={props.label}
        {...(filters ? {} : { tabIndex: -1, 'aria-activedescendant': activeId, onKeyDown })}
      >
        <Rows {...props} state={state} listId={listId} />
      </ul>
      {shown.length === 0 ? <p className="picker-none">{t('picker.none')}</p> : null}
    </>
  );
}
