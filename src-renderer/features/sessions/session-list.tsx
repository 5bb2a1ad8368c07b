import { Archive, Search } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { useText, type Text } from '../../messages/use-text';
import { groupByDay, type DayLabel } from '../../state/day-groups';
import type { Sessions } from '../../state/host-store';
import { listedSessions } from '../../state/selectors';
import { useActions, useHost, useUi } from '../../state/use-app';
import { Load } from '../../ui/states';
import { SessionItem } from './session-item';
import './sessions.css';

/** With more sessions than this there is a field to search their titles. */
const searchFrom = 8;

function dayWords(label: DayLabel, t: Text, language: string): string {
  switch (label.type) {
    case 'today':
      return t('day.today');
    case 'yesterday':
      return t('day.yesterday');
    case 'weekday':
      return new Intl.DateTimeFormat(language, { weekday: 'long' }).format(label.date);
    case 'month':
      return new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric' }).format(label.date);
  }
}

function Groups(props: {
  readonly sessions: Sessions;
  readonly archived: boolean;
  readonly search: string;
}): ReactNode {
  const { t, language } = useText();
  const page = useUi((state) => state.page);
  const { sessions, archived, search } = props;
  const groups = useMemo(
    () => groupByDay(listedSessions(sessions, { archived, search }), new Date()),
    [sessions, archived, search],
  );
  if (groups.length === 0) {
    const key =
      search.trim() !== '' ? 'sessions.none_found' : archived ? 'sessions.none_archived' : 'sessions.none';
    return <p className="side-note">{t(key)}</p>;
  }
  return groups.map((group) => (
    <section key={group.id} aria-label={dayWords(group.label, t, language)}>
      <h2 className="side-heading">{dayWords(group.label, t, language)}</h2>
      <ul>
        {group.sessions.map((session) => (
          <SessionItem
            key={session.session_id}
            session={session}
            current={page.type === 'session' && page.session_id === session.session_id}
          />
        ))}
      </ul>
    </section>
  ));
}

/** All sessions by day, with a search over their titles. */
export function SessionList(): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const sessions = useHost((state) => state.sessions);
  const [search, setSearch] = useState('');
  const [archived, setArchived] = useState(false);
  const all = sessions.status === 'ready' ? [...sessions.value.values()] : [];
  const hasArchived = all.some((session) => session.archived);
  return (
    <div className="session-list">
      {all.length > searchFrom ? (
        <div className="session-search">
          <Search size={14} aria-hidden />
          <input
            className="input"
            type="search"
            aria-label={t('sessions.search')}
            placeholder={t('sessions.search')}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </div>
      ) : null}
      <Load from={sessions} retry={() => void actions.reload('sessions')}>
        {(value) => <Groups sessions={value} archived={archived} search={search} />}
      </Load>
      {hasArchived || archived ? (
        <button
          type="button"
          className="side-row quiet"
          aria-pressed={archived}
          onClick={() => setArchived(!archived)}
        >
          <Archive size={14} aria-hidden />
          {t(archived ? 'sessions.hide_archived' : 'sessions.show_archived')}
        </button>
      ) : null}
    </div>
  );
}
