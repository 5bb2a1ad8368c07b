import { ChevronRight, KeyRound } from 'lucide-react';
import { useDeferredValue, useId, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { CoworkerCard, GrantEntry } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { listOf, type Sessions } from '../../state/host-store';
import { useActions, useHost } from '../../state/use-app';
import { useGrants } from '../../state/use-grants';
import '../../ui/filter-bar.css';
import { EmptyNote, Load } from '../../ui/states';
import { GrantFilterBar } from './grant-filter-bar';
import { GrantItem, type GrantItemFacts } from './grant-item';
import { grantRisk } from './grant-risk';
import './grants.css';
import { listedGrants, narrows, noFilter, type GrantFilter } from './listed-grants';
import { useNow } from './use-now';
import { useRevoking, type Revoking } from './use-revoking';

/** So many are drawn at once; more on demand. */
const step = 100;

type FactsOf = (entry: GrantEntry) => GrantItemFacts;

function useFacts(coworkers: ReadonlyMap<string, CoworkerCard>, revoking: Revoking): FactsOf {
  const sessions = useHost((state) => (state.sessions.status === 'ready' ? state.sessions.value : null));
  const sessionOf = (all: Sessions | null, id: string | undefined): GrantItemFacts['session'] =>
    all === null || id === undefined ? undefined : (all.get(id) ?? null);
  return (entry) => ({
    entry,
    coworker: coworkers.get(entry.grant.coworker_id) ?? null,
    session: sessionOf(sessions, entry.grant.session_id),
    risk: grantRisk(entry),
    revoking: revoking.busy.has(entry.grant.grant_id),
    error: revoking.failed.get(entry.grant.grant_id) ?? null,
  });
}

/** The keyboard stays where a permission was taken back: at the one that takes its place. */
function useKeptPlace(entries: readonly GrantEntry[]) {
  const list = useRef<HTMLUListElement>(null);
  const place = useRef<number | null>(null);
  useLayoutEffect(() => {
    const at = place.current;
    place.current = null;
    if (at === null || document.activeElement !== document.body) return;
    const buttons = list.current?.querySelectorAll<HTMLElement>('.grant-revoke') ?? [];
    buttons[Math.min(at, buttons.length - 1)]?.focus({ preventScroll: true });
  }, [entries]);
  return { list, keep: (at: number) => (place.current = at) };
}

function GrantList(props: {
  readonly entries: readonly GrantEntry[];
  readonly facts: FactsOf;
  readonly now: number;
  readonly label: string;
  readonly onRevoke: (entry: GrantEntry) => void;
}): ReactNode {
  const { t } = useText();
  const { entries, facts, now } = props;
  const [shown, setShown] = useState(step);
  const { list, keep } = useKeptPlace(entries);
  const rest = entries.length - shown;
  return (
    <>
      <ul ref={list} className="card grant-list" aria-label={props.label} data-focus-home=".grant-revoke">
        {entries.slice(0, shown).map((entry, index) => (
          <GrantItem
            key={entry.grant.grant_id}
            item={facts(entry)}
            now={now}
            onRevoke={() => {
              keep(index);
              props.onRevoke(entry);
            }}
          />
        ))}
      </ul>
      {rest > 0 ? (
        <button type="button" className="button small" onClick={() => setShown(shown + step)}>
          {t('ledger.more', { count: Math.min(step, rest) })}
        </button>
      ) : null}
    </>
  );
}

function Ended(props: { readonly count: number; readonly children: ReactNode }): ReactNode {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <section className="grant-section">
      <h2>
        <button
          type="button"
          className="grant-fold"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => setOpen(!open)}
        >
          <ChevronRight size={13} aria-hidden className={open ? 'turned' : ''} />
          {t('ledger.show_ended', { count: props.count })}
        </button>
      </h2>
      {open ? <div id={id}>{props.children}</div> : null}
    </section>
  );
}

function InForce(props: {
  readonly count: number;
  readonly narrowed: boolean;
  readonly onClear: () => void;
  readonly children: ReactNode;
}): ReactNode {
  const { t } = useText();
  return (
    <section className="grant-section">
      <h2 className="grant-heading">
        {t('ledger.in_force')}
        <span className="muted">{props.count}</span>
      </h2>
      {props.count > 0 ? props.children : null}
      {props.count === 0 && !props.narrowed ? <p className="muted">{t('ledger.none_in_force')}</p> : null}
      {props.count === 0 && props.narrowed ? (
        <p className="muted">
          {t('ledger.none_match')}{' '}
          <button type="button" className="link-button" onClick={props.onClear}>
            {t('ledger.clear_filter')}
          </button>
        </p>
      ) : null}
    </section>
  );
}

function Ledger({ entries }: { readonly entries: readonly GrantEntry[] }): ReactNode {
  const { t } = useText();
  const [filter, setFilter] = useState<GrantFilter>(noFilter);
  const cards = useHost((state) => listOf(state.coworkers));
  const coworkers = useMemo(() => new Map(cards.map((card) => [card.id, card])), [cards]);
  const revoking = useRevoking();
  const facts = useFacts(coworkers, revoking);
  const now = useNow();
  const wanted = useDeferredValue(filter);
  const { in_force, ended } = useMemo(() => listedGrants(entries, wanted), [entries, wanted]);
  const shared = { facts, now, onRevoke: revoking.revoke };
  const { done } = revoking;
  return (
    <>
      <GrantFilterBar
        entries={entries}
        coworkers={coworkers}
        filter={filter}
        onChange={(change) => setFilter({ ...filter, ...change })}
      />
      <p className="grant-done" role="status">
        {done ? t('ledger.revoked', { tool: done.grant.qualified_name }) : ''}
      </p>
      <InForce count={in_force.length} narrowed={narrows(filter)} onClear={() => setFilter(noFilter)}>
        <GrantList {...shared} entries={in_force} label={t('ledger.in_force')} />
      </InForce>
      {ended.length > 0 ? (
        <Ended count={ended.length}>
          <GrantList {...shared} entries={ended} label={t('ledger.ended')} />
        </Ended>
      ) : null}
    </>
  );
}

/** Every permission that outlives one call, over all sessions and coworkers, with the way to take it back. */
export function LedgerPage(): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const grants = useGrants();
  return (
    <div className="page-scroll">
      <div className="page-inner">
        <h1 className="page-title">{t('ledger.title')}</h1>
        <p className="page-lead">{t('ledger.lead')}</p>
        <Load from={grants} retry={actions.reloadGrants}>
          {(entries) =>
            entries.length === 0 ? (
              <EmptyNote icon={KeyRound} title={t('ledger.none')}>
                <p>{t('ledger.none.detail')}</p>
              </EmptyNote>
            ) : (
              <Ledger entries={entries} />
            )
          }
        </Load>
      </div>
    </div>
  );
}
