import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CoworkerCard, Failure, GrantEntry, SessionSummary } from '../../../src-preload/contract';
import { formatDay } from '../../messages/format-date';
import { RichText, useText } from '../../messages/use-text';
import { useActions } from '../../state/use-app';
import { CoworkerIcon } from '../../ui/coworker-icon';
import { FailureNote } from '../../ui/failure-note';
import { middleCut } from '../../ui/long-text';
import { PatternView } from '../../ui/pattern-view';
import { VisibleText } from '../../ui/visible-text';
import type { GrantRisk } from './grant-risk';
import { endedWords, lapseWords, usedWords } from './grant-words';

/** What the permission lets happen, as one sentence. */
export function GrantSentence({ grant }: Pick<GrantEntry, 'grant'>): ReactNode {
  const tool = (
    <code key="tool" className="grant-tool">
      <VisibleText text={grant.qualified_name} />
    </code>
  );
  const pattern = grant.pattern ?? [];
  return pattern.length === 0 ? (
    <RichText message="ledger.may_any" slots={{ tool }} />
  ) : (
    <RichText
      message="ledger.may_narrowed"
      slots={{ tool, pattern: <PatternView key="pattern" pattern={pattern} /> }}
    />
  );
}

/** With which request it was given; a link where that can still be looked at. */
export function GrantOrigin(props: {
  readonly entry: GrantEntry;
  /** The session of the request; null: deleted; undefined: not known yet. */
  readonly session: SessionSummary | null | undefined;
  readonly onOpen: () => void;
}): ReactNode {
  const { t, language } = useText();
  const date = formatDay(props.entry.made_at, language);
  if (props.entry.grant.session_id === undefined) return t('ledger.request.unknown', { date });
  if (props.session === undefined) return t('ledger.made_at', { date });
  if (props.session === null) return t('ledger.request.deleted', { date });
  const title = middleCut(props.session.title);
  const request = (
    <button key="request" type="button" className="link-button" onClick={props.onOpen}>
      <RichText message="ledger.request" slots={{ session: <VisibleText key="session" text={title} /> }} />
    </button>
  );
  return <RichText message="ledger.request.from" values={{ date }} slots={{ request }} />;
}

function Facts({ item, now }: { readonly item: GrantItemFacts; readonly now: number }): ReactNode {
  const { t, language } = useText();
  const actions = useActions();
  const { entry, session } = item;
  const open = (): void => {
    const { session_id, turn_id, call_id } = entry.grant;
    if (session_id === undefined) return;
    actions.goTo({ type: 'session', session_id });
    if (turn_id !== undefined && call_id !== undefined) actions.point({ type: 'row', turn_id, call_id });
  };
  return (
    <dl className="grant-facts">
      <div>
        <dt>{t('ledger.made')}</dt>
        <dd>
          <GrantOrigin entry={entry} session={session} onOpen={open} />
        </dd>
      </div>
      <div>
        <dt>{t('ledger.used')}</dt>
        <dd>{usedWords(entry, now, t, language)}</dd>
      </div>
      <div>
        <dt>{t(entry.ended ? 'ledger.ended_by' : 'ledger.lapses')}</dt>
        <dd>{entry.ended ? endedWords(entry.ended, t, language) : lapseWords(entry, now, t, language)}</dd>
      </div>
    </dl>
  );
}

export interface GrantItemFacts {
  readonly entry: GrantEntry;
  /** Null where the coworker is no longer there. */
  readonly coworker: CoworkerCard | null;
  readonly session: SessionSummary | null | undefined;
  readonly risk: GrantRisk | null;
  readonly revoking: boolean;
  readonly error: Failure | null;
}

function coversWhere({ entry, session }: GrantItemFacts): ReactNode {
  if (entry.grant.scope === 'coworker') return <RichText message="ledger.covers.coworker" slots={{}} />;
  if (!session) return <RichText message="ledger.covers.session_gone" slots={{}} />;
  return (
    <RichText
      message="ledger.covers.session"
      slots={{ session: <VisibleText key="session" text={middleCut(session.title)} /> }}
    />
  );
}

/** One permission: what it lets happen, for whom, since when, until when. */
export function GrantItem(props: {
  readonly item: GrantItemFacts;
  readonly now: number;
  readonly onRevoke: () => void;
}): ReactNode {
  const { t } = useText();
  const { item, now, onRevoke } = props;
  const { entry, coworker, risk, revoking } = item;
  const { coworker_id, qualified_name } = entry.grant;
  const name = coworker?.name ?? t('ledger.coworker_gone', { coworker: coworker_id });
  return (
    <li className={entry.ended ? 'grant ended' : 'grant'}>
      <CoworkerIcon id={coworker_id} icon={coworker?.icon ?? ''} />
      <div className="grant-body">
        <p className="grant-sentence break">
          <GrantSentence grant={entry.grant} />
        </p>
        <p className="muted small break">
          <VisibleText text={name} />, {coversWhere(item)}
        </p>
        {risk ? (
          <p className="grant-risk">
            <TriangleAlert size={14} aria-hidden />
            <span>{t(`ledger.warning.${risk}`)}</span>
          </p>
        ) : null}
        <Facts item={item} now={now} />
        {item.error ? <FailureNote failure={item.error} announce /> : null}
      </div>
      {entry.ended ? null : (
        <button
          type="button"
          className="button small grant-revoke"
          aria-label={t('ledger.revoke_of', { tool: qualified_name, coworker: name })}
          aria-disabled={revoking}
          onClick={() => {
            if (!revoking) onRevoke();
          }}
        >
          {t(revoking ? 'ledger.revoking' : 'ledger.revoke')}
        </button>
      )}
    </li>
  );
}
