import { Layers } from 'lucide-react';
import {
  useCallback,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from 'react';
import type { PendingApproval, SessionView } from '../../../src-preload/contract';
import { RichText, useText } from '../../messages/use-text';
import { VisibleText } from '../../ui/visible-text';
import { BatchGroupView } from './batch-group';
import { groupRequests } from './batch-groups';
import type { RowAct } from './batch-row';
import { batchOutcome, useBatchEntries, useBatchSending } from './use-batch';
import { useGuardedArea, type GuardedArea } from '../../state/use-guarded-area';
import './batch.css';

type OnClick = (event: MouseEvent) => void;

const deny = { type: 'deny', note: '' } as const;
const allow = { type: 'allow', scope: 'once' } as const;

/** Up and down go from line to line, to the button that stands for the same act, or else the first one. */
function moveLine(event: KeyboardEvent<HTMLElement>): void {
  const down = event.key === 'ArrowDown';
  if (!(down || event.key === 'ArrowUp') || !(event.target instanceof HTMLElement)) return;
  const lines = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-batch-line]')];
  const at = lines.findIndex((line) => line.contains(event.target as HTMLElement));
  const ahead = down ? lines.slice(at + 1) : lines.slice(0, Math.max(0, at)).reverse();
  const act = event.target.getAttribute('data-act');
  for (const line of ahead) {
    const next =
      (act === null ? null : line.querySelector<HTMLElement>(`[data-act="${act}"]`)) ??
      line.querySelector<HTMLElement>('button');
    if (!next) continue;
    event.preventDefault();
    next.focus();
    next.scrollIntoView({ block: 'nearest' });
    return;
  }
}

function Fresh({ count, onTake }: { readonly count: number; readonly onTake: OnClick }): ReactNode {
  const { t } = useText();
  if (count === 0) return null;
  return (
    <p className="batch-fresh">
      {t('batch.fresh', { count })}{' '}
      <button type="button" className="link-button" onClick={onTake}>
        {t('batch.take_in')}
      </button>
    </p>
  );
}

function useLater() {
  const [later, setLater] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string): void =>
    setLater((known) => {
      const next = new Set(known);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  return { later, toggle };
}

interface Acting {
  readonly guarded: GuardedArea['guarded'];
  readonly send: ReturnType<typeof useBatchSending>['send'];
  readonly toggle: (id: string) => void;
  readonly onSingle: (approvalId: string | null) => void;
}

/** What the buttons of a row do. One function for all drawings: forty rows are not drawn anew for each answer. */
function useAct(acting: Acting): (act: RowAct, entry: PendingApproval) => OnClick {
  const live = useRef(acting);
  live.current = acting;
  return useCallback((act: RowAct, entry: PendingApproval) => {
    const { guarded, send, toggle, onSingle } = live.current;
    return guarded(() => {
      if (act === 'later') toggle(entry.approval_id);
      else if (act === 'look') onSingle(entry.approval_id);
      else send([entry], act === 'allow' ? allow : deny);
    });
  }, []);
}

export interface BatchSheetProps {
  readonly view: SessionView;
  readonly pending: readonly PendingApproval[];
  /** False while one of its requests is looked at. */
  readonly shown: boolean;
  readonly onSingle: (approvalId: string | null) => void;
  readonly tools: ReactNode;
}

function Head(props: BatchSheetProps & { readonly onOne: OnClick }): ReactNode {
  const { view, pending, tools } = props;
  const { t } = useText();
  const coworker = view.coworker?.name ?? t('conversation.coworker');
  return (
    <header className="request-head">
      <Layers size={16} aria-hidden />
      <h2>
        <RichText
          message="batch.title"
          values={{ count: pending.length }}
          slots={{ coworker: <VisibleText key="coworker" text={coworker} /> }}
        />
      </h2>
      <div className="request-queue">
        <button type="button" className="button quiet small" onClick={props.onOne}>
          {t('batch.single')}
        </button>
        {tools}
      </div>
    </header>
  );
}

/** Everything that waits in a session on one sheet, grouped by tool and target; each call gets its own answer. */
export function BatchSheet(props: BatchSheetProps): ReactNode {
  const { t } = useText();
  const { view, pending, onSingle } = props;
  const [engaged, setEngaged] = useState(false);
  const engage = (): void => setEngaged(true);
  const { entries, waiting, fresh, version, takeIn } = useBatchEntries(pending, engaged);
  const { sending, send } = useBatchSending(view.session_id);
  const { later, toggle } = useLater();
  const { area, guarded } = useGuardedArea(`sheet ${version} ${props.shown}`);
  const groups = useMemo(() => groupRequests(entries), [entries]);
  const onAct = useAct({ guarded, send, toggle, onSingle });
  return (
    <div className="batch" hidden={!props.shown} onFocusCapture={engage} onPointerDown={engage} {...area}>
      <Head {...props} onOne={guarded(() => onSingle(null))} />
      <Fresh count={fresh} onTake={guarded(takeIn)} />
      <div
        className="batch-body"
        tabIndex={0}
        role="region"
        aria-label={t('batch.hint')}
        onKeyDown={moveLine}
      >
        {groups.map((group) => (
          <BatchGroupView
            key={group.key}
            group={group}
            outcomeOf={(entry) => batchOutcome(view, entry, waiting.has(entry.approval_id))}
            later={later}
            busy={sending}
            guarded={guarded}
            onAct={onAct}
            onAll={(act, chosen) =>
              guarded(() => {
                if (!sending && chosen.length > 0) send(chosen, act === 'allow' ? allow : deny);
              })
            }
          />
        ))}
      </div>
      <p className="batch-hint muted small" role="status">
        {sending ? t('batch.sending') : `${t('batch.hint')} ${t('batch.keys')}`}
      </p>
    </div>
  );
}
