import { ChevronDown, ChevronLeft, ChevronRight, Hand } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import type { PendingApproval, SessionView } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { useActions, useSession, useUi } from '../../state/use-app';
import { IconButton } from '../../ui/buttons';
import { BatchSheet } from './batch-sheet';
import { ClosedNote } from './closed-note';
import { RequestCard } from './request-card';
import './approvals.css';

/** From so many requests on, the sheet opens by itself, unless the person is at one of them. */
const sheetFrom = 3;

/** `auto` until the person, or the number of requests, has decided how they are looked at. */
type Look = 'auto' | 'single' | 'from_sheet' | 'sheet' | 'later';

interface DockState {
  readonly look: Look;
  readonly chosen: string | null;
}

function QueuePlace(props: {
  readonly at: number;
  readonly count: number;
  readonly fromSheet: boolean;
  readonly onMove: (at: number) => void;
  readonly onSheet: () => void;
  readonly tools: ReactNode;
}): ReactNode {
  const { t } = useText();
  const { at, count, onMove } = props;
  return (
    <div className="request-queue">
      {count < 2 ? null : (
        <>
          <button type="button" className="button quiet small" onClick={props.onSheet}>
            {t(props.fromSheet ? 'batch.back' : 'batch.open', { total: count })}
          </button>
          <IconButton
            small
            icon={ChevronLeft}
            label={t('approval.previous')}
            disabled={at === 0}
            onClick={() => onMove(at - 1)}
          />
          <span>{t('approval.place', { at: at + 1, total: count })}</span>
          <IconButton
            small
            icon={ChevronRight}
            label={t('approval.next')}
            disabled={at === count - 1}
            onClick={() => onMove(at + 1)}
          />
        </>
      )}
      {props.tools}
    </div>
  );
}

/** How the requests are looked at, and which one of them: the chosen one while it waits, else the oldest. */
function useLook(pending: readonly PendingApproval[], root: RefObject<HTMLElement | null>) {
  const actions = useActions();
  const [state, setState] = useState<DockState>({ look: 'auto', chosen: null });
  const reveal = useUi((ui) => ui.reveal);
  const wanted = reveal?.target.type === 'approval' ? reveal.target.approval_id : null;
  const waits = pending.some((entry) => entry.approval_id === wanted);
  useEffect(() => {
    if (!reveal || wanted === null || !waits) return;
    setState({ look: 'single', chosen: wanted });
    root.current?.focus();
    actions.granted(reveal.nonce);
  }, [actions, reveal, root, wanted, waits]);
  const found = pending.findIndex((entry) => entry.approval_id === state.chosen);
  const count = pending.length;
  useEffect(() => {
    setState((known) => {
      if (count === 0) return known.look === 'auto' ? known : { look: 'auto', chosen: null };
      if (known.look === 'auto' && count >= sheetFrom) return { ...known, look: 'sheet' };
      // What was opened from the sheet is answered: the others stand there.
      if (known.look === 'from_sheet' && found < 0) return { look: 'sheet', chosen: null };
      return known;
    });
  }, [count, found]);
  return { state, at: Math.max(0, found), setState };
}

/** Where the focus goes when the request that had it is answered: to the next one, else to the composer. */
function useNextFocus(dock: RefObject<HTMLElement | null>): () => void {
  const actions = useActions();
  const lost = useRef(false);
  useEffect(() => {
    if (!lost.current) return;
    lost.current = false;
    if (dock.current) dock.current.focus();
    else actions.point({ type: 'composer' });
  });
  return () => {
    lost.current = true;
  };
}

function LaterBar(props: { readonly count: number; readonly onAnswer: () => void }): ReactNode {
  const { t } = useText();
  return (
    <div className="later-bar">
      <Hand size={15} aria-hidden />
      <span>{t('request.later_bar', { count: props.count })}</span>
      <button type="button" className="button small" onClick={props.onAnswer}>
        {t('request.answer_now')}
      </button>
    </div>
  );
}

/** Requests whose arguments are being edited stay in the page behind the one that is looked at: nothing is lost. */
function useKept(pending: readonly PendingApproval[], current: PendingApproval | undefined) {
  const drafts = useUi((state) => state.requests);
  return pending.filter((entry) => entry === current || drafts[entry.approval_id]?.editing === true);
}

interface DockProps {
  readonly view: SessionView;
  readonly pending: readonly PendingApproval[];
}

/** One request, or all on one sheet. The sheet stays as it was while one of its requests is looked at. */
function Shown(
  props: DockProps & {
    readonly state: DockState;
    readonly at: number;
    readonly show: (look: Look, chosen?: string | null) => void;
    readonly onFocusLoss: () => void;
  },
): ReactNode {
  const { t } = useText();
  const { view, pending, at, show } = props;
  const { look } = props.state;
  const changed = useSession(view.session_id)?.standing?.type === 'changed';
  const current = look === 'sheet' ? undefined : pending[at];
  const kept = useKept(pending, current);
  const tools = (
    <IconButton small icon={ChevronDown} label={t('request.later')} onClick={() => show('later')} />
  );
  const fromSheet = look === 'from_sheet';
  const queue = (
    <QueuePlace
      at={at}
      count={pending.length}
      fromSheet={fromSheet}
      onMove={(next) => show(fromSheet ? 'from_sheet' : 'single', pending[next]?.approval_id ?? null)}
      onSheet={() => show('sheet')}
      tools={tools}
    />
  );
  return (
    <>
      {look === 'sheet' || fromSheet ? (
        <BatchSheet
          view={view}
          pending={pending}
          shown={look === 'sheet'}
          tools={tools}
          onSingle={(id) => (id === null ? show('single') : show('from_sheet', id))}
        />
      ) : null}
      {kept.map((entry) => (
        <RequestCard
          key={entry.approval_id}
          pending={entry}
          view={view}
          queue={queue}
          shown={entry === current}
          blocked={changed ? t('request.changed_meanwhile') : null}
          onFocusLoss={props.onFocusLoss}
        />
      ))}
    </>
  );
}

/** What waits for the person in this session. It takes no focus and covers nothing. */
export function ApprovalDock(props: DockProps): ReactNode {
  const { t } = useText();
  const { view, pending } = props;
  const root = useRef<HTMLElement>(null);
  const { state, at, setState } = useLook(pending, root);
  const onFocusLoss = useNextFocus(root);
  const show = (look: Look, chosen: string | null = null): void => setState({ look, chosen });
  // Whoever is at a request is not led away from it by others that come.
  const stay = (): void => {
    if (state.look === 'auto') show('single', pending[at]?.approval_id ?? null);
  };
  return (
    <>
      <ClosedNote view={view} pending={pending} />
      {pending.length === 0 ? null : (
        <section
          className="approval-dock"
          ref={root}
          tabIndex={-1}
          data-region="approval"
          aria-label={t('approval.label')}
          onFocusCapture={stay}
          onPointerDownCapture={stay}
        >
          {state.look === 'later' ? (
            <LaterBar
              count={pending.length}
              onAnswer={() => show(pending.length < sheetFrom ? 'single' : 'sheet')}
            />
          ) : (
            <Shown {...props} state={state} at={at} show={show} onFocusLoss={onFocusLoss} />
          )}
        </section>
      )}
    </>
  );
}
