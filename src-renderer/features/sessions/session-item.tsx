import { Archive, ArchiveRestore, MoreHorizontal, Pencil, Trash2 } from 'lucide-react';
import {
  memo,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import type { SessionSummary } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { useActions } from '../../state/use-app';
import { Dialog } from '../../ui/dialog';
import { useFocusLoss } from '../../ui/use-focus-loss';
import { VisibleText } from '../../ui/visible-text';

type Mode = 'shown' | 'menu' | 'renaming' | 'deleting';

/** States that are said beside the title; the quiet ones are said to screen readers only. */
const spoken = new Set(['working', 'interrupted', 'failed', 'unknown']);

function StateWords({ session }: { readonly session: SessionSummary }): ReactNode {
  const { t } = useText();
  if (session.state === 'needs_you') {
    const count = session.waiting.length;
    return (
      <span className="count-badge" title={t('session.state.needs_you', { count })}>
        {count}
        <span className="visually-hidden"> {t('session.state.needs_you', { count })}</span>
      </span>
    );
  }
  const words = t(`session.state.${session.state}`);
  return <span className={spoken.has(session.state) ? 'session-state' : 'visually-hidden'}>{words}</span>;
}

function Rename(props: { readonly session: SessionSummary; readonly done: () => void }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const [title, setTitle] = useState(props.session.title);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const keep = (): void => {
    const next = title.trim();
    if (next !== '' && next !== props.session.title) actions.rename(props.session.session_id, next);
    props.done();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) keep();
    if (event.key === 'Escape') props.done();
  };
  return (
    <input
      ref={field}
      className="input session-rename"
      aria-label={t('session.title')}
      maxLength={200}
      value={title}
      onChange={(event) => setTitle(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={keep}
    />
  );
}

function Delete(props: { readonly session: SessionSummary; readonly done: () => void }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  return (
    <Dialog
      title={t('session.delete.title')}
      onClose={props.done}
      footer={
        <>
          <button type="button" className="button" onClick={props.done}>
            {t('common.cancel')}
          </button>
          <button
            type="button"
            className="button danger"
            onClick={() => {
              void actions.deleteSession(props.session.session_id);
              props.done();
            }}
          >
            {t(props.session.open_turn === null ? 'session.delete.confirm' : 'session.delete.confirm_stop')}
          </button>
        </>
      }
    >
      <p className="break">
        <strong>
          <VisibleText text={props.session.title} />
        </strong>
      </p>
      {props.session.open_turn === null ? null : (
        <p className="delete-running">
          {t(props.session.state === 'needs_you' ? 'session.delete.waiting' : 'session.delete.working')}
        </p>
      )}
      <p className="muted">{t('session.delete.detail')}</p>
    </Dialog>
  );
}

function ItemMenu(props: {
  readonly session: SessionSummary;
  readonly choose: (mode: Mode) => void;
}): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const { session, choose } = props;
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    menu.current?.querySelector('button')?.focus();
    menu.current?.scrollIntoView({ block: 'nearest' });
    const onPointerDown = (event: PointerEvent): void => {
      if (event.target instanceof Node && !menu.current?.contains(event.target)) choose('shown');
    };
    document.addEventListener('pointerdown', onPointerDown, true);
    return () => document.removeEventListener('pointerdown', onPointerDown, true);
  }, [choose]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const items = [...(menu.current?.querySelectorAll('button') ?? [])];
    const at = items.findIndex((item) => item === document.activeElement);
    if (event.key === 'ArrowDown') items[(at + 1) % items.length]?.focus();
    else if (event.key === 'ArrowUp') items[(at - 1 + items.length) % items.length]?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') choose('shown');
    else return;
    event.preventDefault();
  };
  const archived = session.archived;
  const ArchiveIcon = archived ? ArchiveRestore : Archive;
  return (
    <div className="item-menu" role="menu" aria-label={t('session.actions')} ref={menu} onKeyDown={onKeyDown}>
      <button type="button" role="menuitem" onClick={() => choose('renaming')}>
        <Pencil size={14} aria-hidden /> {t('session.rename')}
      </button>
      <button
        type="button"
        role="menuitem"
        onClick={() => {
          actions.archive(session.session_id, !archived);
          choose('shown');
        }}
      >
        <ArchiveIcon size={14} aria-hidden /> {t(archived ? 'session.unarchive' : 'session.archive')}
      </button>
      <button type="button" role="menuitem" className="bad" onClick={() => choose('deleting')}>
        <Trash2 size={14} aria-hidden /> {t('session.delete')}
      </button>
    </div>
  );
}

/**
 * Where the focus goes: back to the row when its field or dialog closes, back to the button when its menu does, and to
 * the neighbour when the whole item goes from the list.
 */
function useItemFocus(mode: Mode) {
  const item = useRef<HTMLLIElement>(null);
  const row = useRef<HTMLButtonElement>(null);
  const more = useRef<HTMLButtonElement>(null);
  const former = useRef(mode);
  useLayoutEffect(() => {
    const from = former.current;
    former.current = mode;
    if (mode !== 'shown' || from === 'shown' || document.activeElement !== document.body) return;
    (from === 'menu' ? more : row).current?.focus();
  }, [mode]);
  useFocusLoss(item, () => {
    const rows = [...document.querySelectorAll<HTMLElement>('.session-row')];
    const at = rows.findIndex((candidate) => item.current?.contains(candidate));
    (rows[at + 1] ?? rows[at - 1])?.focus();
  });
  return { item, row, more };
}

export const SessionItem = memo(function SessionItem(props: {
  readonly session: SessionSummary;
  readonly current: boolean;
}): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const { session } = props;
  const [mode, setMode] = useState<Mode>('shown');
  const { item, row, more } = useItemFocus(mode);
  if (mode === 'renaming') {
    return (
      <li className="session-item" ref={item}>
        <Rename session={session} done={() => setMode('shown')} />
      </li>
    );
  }
  return (
    <li className={mode === 'menu' ? 'session-item menu-open' : 'session-item'} ref={item}>
      <button
        ref={row}
        type="button"
        className="side-row session-row"
        aria-current={props.current ? 'page' : undefined}
        title={session.title}
        onClick={() => actions.goTo({ type: 'session', session_id: session.session_id })}
        onDoubleClick={() => setMode('renaming')}
        onContextMenu={(event) => {
          event.preventDefault();
          setMode('menu');
        }}
        onKeyDown={(event) => {
          if (event.key === 'F2') setMode('renaming');
          if (event.key === 'Delete') setMode('deleting');
        }}
      >
        <span className={`dot ${session.state}`} aria-hidden />
        <span className="truncate session-title">
          <VisibleText text={session.title} />
        </span>
        <StateWords session={session} />
      </button>
      <button
        ref={more}
        type="button"
        className="icon-button small item-more"
        aria-haspopup="menu"
        aria-expanded={mode === 'menu'}
        aria-label={t('session.actions_for', { title: session.title })}
        onClick={() => setMode(mode === 'menu' ? 'shown' : 'menu')}
      >
        <MoreHorizontal size={14} aria-hidden />
      </button>
      {mode === 'menu' ? <ItemMenu session={session} choose={setMode} /> : null}
      {mode === 'deleting' ? <Delete session={session} done={() => setMode('shown')} /> : null}
    </li>
  );
});
