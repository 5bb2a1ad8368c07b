import { useCallback, useEffect, useRef, useState, type MouseEvent, type ReactNode } from 'react';
import type { PendingApproval } from '../../../src-preload/contract';
import { RichText, useText } from '../../messages/use-text';
import { useUi } from '../../state/use-app';
import { middleCut } from '../../ui/long-text';
import { VisibleText } from '../../ui/visible-text';
import { lookReason, type BatchGroup } from './batch-groups';
import { BatchRow, type RowAct } from './batch-row';
import type { BatchOutcome } from './use-batch';
import type { GuardedArea } from '../../state/use-guarded-area';

/** So many calls of a group stand there at once; more come when asked for. */
const step = 40;

export interface BatchGroupProps {
  readonly group: BatchGroup;
  readonly outcomeOf: (entry: PendingApproval) => BatchOutcome;
  readonly later: ReadonlySet<string>;
  readonly busy: boolean;
  readonly guarded: GuardedArea['guarded'];
  readonly onAct: (act: RowAct, pending: PendingApproval) => (event: MouseEvent) => void;
  readonly onAll: (act: 'allow' | 'deny', entries: readonly PendingApproval[]) => (event: MouseEvent) => void;
}

/** Which rows of a list have been on the screen. */
function useSeenRows(shown: string) {
  const list = useRef<HTMLUListElement>(null);
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const look = useCallback((entries: readonly IntersectionObserverEntry[]) => {
    const ids = entries
      .filter((entry) => entry.isIntersecting)
      .map((entry) => entry.target.getAttribute('data-approval-id') ?? '');
    if (ids.length > 0) setSeen((known) => new Set([...known, ...ids]));
  }, []);
  useEffect(() => {
    // Nearly all of a row: a row as high as the list itself can never be there whole.
    const observer = new IntersectionObserver(look, { threshold: 0.6 });
    for (const row of list.current?.children ?? []) observer.observe(row);
    return () => observer.disconnect();
  }, [look, shown]);
  return { list, seen };
}

function Foot(
  props: BatchGroupProps & {
    readonly allowable: readonly PendingApproval[];
    readonly deniable: readonly PendingApproval[];
    readonly unseen: number;
  },
): ReactNode {
  const { t } = useText();
  const { allowable, deniable, unseen, onAll, busy } = props;
  const leftOut = deniable.length - allowable.length;
  // One call alone has its own buttons.
  if (deniable.length < 2) return null;
  return (
    <div className="batch-foot" data-batch-line="">
      <p className="muted small">
        {unseen > 0 ? `${t('batch.unseen', { count: unseen })} ` : null}
        {leftOut > 0 && allowable.length > 0 ? t('batch.left_out', { count: leftOut }) : null}
      </p>
      <button
        type="button"
        className="button small"
        data-act="deny"
        aria-disabled={busy}
        onClick={onAll('deny', deniable)}
      >
        {t('batch.deny', { count: deniable.length })}
      </button>
      {allowable.length === 0 ? null : (
        <button
          type="button"
          className="button small primary"
          data-act="allow"
          aria-disabled={busy || unseen > 0}
          onClick={onAll('allow', unseen > 0 ? [] : allowable)}
        >
          {t('batch.allow', { count: allowable.length })}
        </button>
      )}
    </div>
  );
}

function Head({ group, waits }: { readonly group: BatchGroup; readonly waits: number }): ReactNode {
  const { t } = useText();
  return (
    <header>
      <code>
        <VisibleText text={group.tool} />
      </code>
      {group.target === null ? null : (
        <span className="break">
          <RichText
            message="batch.to"
            slots={{
              target: (
                <b key="target">
                  <VisibleText text={middleCut(group.target)} />
                </b>
              ),
            }}
          />
        </span>
      )}
      <span className="muted small">{t('batch.left', { count: waits })}</span>
    </header>
  );
}

/** Calls of one tool for one target, each with its own answer, and buttons that answer all that stand there. */
export function BatchGroupView(props: BatchGroupProps): ReactNode {
  const { t } = useText();
  const { group, outcomeOf, later } = props;
  const [shown, setShown] = useState(step);
  const rows = group.pending.slice(0, shown);
  const { list, seen } = useSeenRows(rows.map((entry) => entry.approval_id).join());
  const answers = useUi((state) => state.answers);
  const open = rows.filter((entry) => {
    const sending = answers[entry.approval_id]?.status === 'sending';
    return !sending && !later.has(entry.approval_id) && outcomeOf(entry) === null;
  });
  const allowable = open.filter((entry) => lookReason(entry.request.data) === null);
  const unseen = allowable.filter((entry) => !seen.has(entry.approval_id)).length;
  const waits = group.pending.filter((entry) => outcomeOf(entry) === null).length;
  const name =
    group.target === null ? group.tool : `${group.tool}, ${t('batch.to', { target: group.target })}`;
  return (
    <section className="batch-group" aria-label={t('batch.group', { tool: name, count: waits })}>
      <Head group={group} waits={waits} />
      <ul ref={list}>
        {rows.map((entry) => (
          <BatchRow
            key={entry.approval_id}
            pending={entry}
            outcome={outcomeOf(entry)}
            later={later.has(entry.approval_id)}
            state={answers[entry.approval_id] ?? null}
            onAct={props.onAct}
          />
        ))}
      </ul>
      {group.pending.length > shown ? (
        <button
          type="button"
          className="link-button small batch-more"
          onClick={props.guarded(() => setShown(shown + step))}
        >
          {t('batch.more', { count: Math.min(step, group.pending.length - shown) })}
        </button>
      ) : null}
      <Foot {...props} allowable={allowable} deniable={open} unseen={unseen} />
    </section>
  );
}
