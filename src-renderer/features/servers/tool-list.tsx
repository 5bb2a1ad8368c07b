import {
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import type { Result, ServerTool } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { ClassifyBar, type ClassifyDone } from './classify-bar';
import { isUsable, listedTools, noFilter, type ToolFilter } from './listed-tools';
import { ToolFilterBar } from './tool-filter-bar';
import { ToolRow } from './tool-row';
import {
  keepKnown,
  nothingSelected,
  selectShown,
  selectTool,
  shownState,
  type ToolSelection,
} from './tool-selection';
import type { PersonsWord } from './use-server-tools';

/** The arrow keys go from tick to tick. */
function onListKey(event: KeyboardEvent<HTMLElement>): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (by === 0 || !(event.target instanceof HTMLElement) || !event.target.matches('.tool-check')) return;
  event.preventDefault();
  const ticks = [...event.currentTarget.querySelectorAll<HTMLElement>('.tool-check')];
  ticks[ticks.indexOf(event.target) + by]?.focus();
}

function useSelection(tools: readonly ServerTool[], shown: readonly string[]) {
  const [selection, setSelection] = useState<ToolSelection>(nothingSelected);
  const latest = useRef(shown);
  useEffect(() => {
    latest.current = shown;
  }, [shown]);
  useEffect(() => {
    const known = new Set(tools.filter(isUsable).map(({ qualified_name }) => qualified_name));
    setSelection((before) => keepKnown(before, known));
  }, [tools]);
  const onSelect = useCallback((name: string, range: boolean) => {
    setSelection((before) => selectTool(before, latest.current, name, range));
  }, []);
  return {
    selection,
    onSelect,
    selectAll: () => setSelection((before) => selectShown(before, shown)),
    clear: () => setSelection(nothingSelected),
  };
}

function ListHead(props: {
  readonly state: 'none' | 'some' | 'all';
  readonly shown: number;
  readonly count: number;
  readonly onSelectAll: () => void;
}): ReactNode {
  const { t } = useText();
  const { state } = props;
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = state === 'some';
  }, [state]);
  return (
    <div className="tool-list-head">
      <label>
        <input
          ref={box}
          type="checkbox"
          className="tool-select-all"
          checked={state === 'all'}
          onChange={props.onSelectAll}
        />
        {t('server_tools.select_all')}
      </label>
      <span className="muted small">{t('server_tools.select_hint')}</span>
      <span className="muted small tool-count">
        {t('server_tools.count', { shown: props.shown, count: props.count })}
      </span>
    </div>
  );
}

function Rows(props: {
  readonly label: string;
  readonly listed: readonly ServerTool[];
  readonly selection: ToolSelection;
  readonly onSelect: (name: string, range: boolean) => void;
  readonly onClear: () => void;
}): ReactNode {
  const { t } = useText();
  if (props.listed.length === 0) {
    return (
      <p className="muted tool-none">
        {t('server_tools.none_match')}{' '}
        <button type="button" className="link-button" onClick={props.onClear}>
          {t('server_tools.clear_filter')}
        </button>
      </p>
    );
  }
  return (
    <ul className="card server-tool-list" aria-label={props.label} onKeyDown={onListKey}>
      {props.listed.map((tool) => (
        <ToolRow
          key={tool.qualified_name}
          tool={tool}
          selected={props.selection.names.has(tool.qualified_name)}
          onSelect={props.onSelect}
        />
      ))}
    </ul>
  );
}

/** The tools of a server with their filter, their ticks, and what is done with the ticked ones. */
export function ToolList(props: {
  readonly server: string;
  readonly tools: readonly ServerTool[];
  readonly classify: (tools: readonly ServerTool[], said: PersonsWord) => Promise<Result<null>>;
}): ReactNode {
  const { t } = useText();
  const { tools, classify } = props;
  const [filter, setFilter] = useState<ToolFilter>(noFilter);
  const [done, setDone] = useState<ClassifyDone | null>(null);
  const wanted = useDeferredValue(filter);
  const listed = useMemo(() => listedTools(tools, wanted), [tools, wanted]);
  const shown = useMemo(() => listed.filter(isUsable).map(({ qualified_name }) => qualified_name), [listed]);
  const { selection, onSelect, selectAll, clear } = useSelection(tools, shown);
  const selected = tools.filter((tool) => selection.names.has(tool.qualified_name));
  const seen = new Set(shown);
  return (
    <div className="tool-section" data-focus-home=".tool-select-all">
      <ToolFilterBar filter={filter} onChange={setFilter} />
      <ListHead
        state={shownState(selection, shown)}
        shown={listed.length}
        count={tools.length}
        onSelectAll={selectAll}
      />
      <p className="tool-done" role="status">
        {done ? t('server_tools.applied', { what: t(done.what), count: done.count }) : ''}
      </p>
      <Rows
        label={t('server_tools.list', { server: props.server })}
        listed={listed}
        selection={selection}
        onSelect={onSelect}
        onClear={() => setFilter(noFilter)}
      />
      {selected.length > 0 ? (
        <ClassifyBar
          tools={selected}
          unseen={selected.filter(({ qualified_name }) => !seen.has(qualified_name)).length}
          classify={(said) => classify(selected, said)}
          onDone={(what) => {
            setDone(what);
            clear();
          }}
          onClear={clear}
        />
      ) : null}
    </div>
  );
}
