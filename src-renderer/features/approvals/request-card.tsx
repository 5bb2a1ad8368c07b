import { Shield, TriangleAlert } from 'lucide-react';
import { useCallback, useRef, useState, type ReactNode } from 'react';
import type { Failure, GrantEntry, PendingApproval, SessionView } from '../../../src-preload/contract';
import { RichText, useText } from '../../messages/use-text';
import { useActions, useUi } from '../../state/use-app';
import { useGrants } from '../../state/use-grants';
import { countHidden } from '../../ui/mark-hidden';
import { SentenceView } from '../../ui/sentence-view';
import { toolSentence } from '../../ui/tool-sentence';
import { useFocusLoss } from '../../ui/use-focus-loss';
import { VisibleText } from '../../ui/visible-text';
import { RequestAnswer } from './request-answer';
import { RequestArguments } from './request-arguments';
import { termsOf } from './request-terms';
import { RequestChanged, RequestFacts, RequestWhy } from './request-words';
import { ScopePanel } from './scope-panel';
import { useGuardedArea } from '../../state/use-guarded-area';
import { useReading } from './use-reading';
import { useRequestDraft } from './use-request-draft';

/** The permission that the request speaks of; null where it speaks of none, or none is on record. */
function useSpokenGrant(pending: PendingApproval): GrantEntry | null {
  const { grant_id } = pending.request.data;
  const grants = useGrants(grant_id !== undefined);
  if (grant_id === undefined || grants.status !== 'ready') return null;
  return grants.value.find(({ grant }) => grant.grant_id === grant_id) ?? null;
}

function useRequest(props: RequestCardProps) {
  const { pending, view, shown } = props;
  const request = pending.request.data;
  const reading = useReading(view.session_id, pending);
  const grant = useSpokenGrant(pending);
  const [draft, onDraft] = useRequestDraft(pending.approval_id);
  const known = reading.state.status === 'ready' ? reading.state.value : null;
  const terms = termsOf({ request, draft, reading: known, grant, now: Date.now() });
  // Whatever changes what a click would do, or what it was judged by, arms the guard anew.
  const preset = terms.former?.grant.grant_id ?? '';
  const key = `${pending.approval_id} ${request.arguments_digest} ${reading.version} ${preset} ${shown}`;
  return { request, reading, grant, draft, onDraft, terms, ...useGuardedArea(key) };
}

function Head(props: {
  readonly coworker: string;
  readonly pending: PendingApproval;
  readonly queue: ReactNode;
}): ReactNode {
  const { classification } = props.pending.request.data;
  return (
    <header className="request-head">
      <Shield size={16} aria-hidden />
      <h2>
        <RichText
          message={`approval.asks.${classification}`}
          slots={{ coworker: <VisibleText key="coworker" text={props.coworker} /> }}
        />
      </h2>
      {props.queue}
    </header>
  );
}

function HiddenNames({ names }: { readonly names: readonly string[] }): ReactNode {
  const { t } = useText();
  if (countHidden(names) === 0) return null;
  return (
    <p className="request-warning">
      <TriangleAlert size={15} aria-hidden />
      <span>{t('request.hidden_names')}</span>
    </p>
  );
}

export interface RequestCardProps {
  readonly pending: PendingApproval;
  readonly view: SessionView;
  readonly queue: ReactNode;
  /** False while another request is looked at and this one is only kept. */
  readonly shown: boolean;
  /** Why it can no longer be answered; null where it can. */
  readonly blocked: string | null;
  readonly onFocusLoss: () => void;
}

/** The part that scrolls: what would happen, and how far a wider permission would reach. */
function Body(
  props: RequestCardProps &
    Omit<ReturnType<typeof useRequest>, 'guard' | 'area' | 'guarded'> & {
      readonly coworker: string;
      readonly failure: Failure | null;
      readonly onSeen: (seen: boolean) => void;
    },
): ReactNode {
  const { t } = useText();
  const { pending, view, request, reading, grant, draft, onDraft, terms, coworker } = props;
  const name = request.qualified_name ?? request.name;
  return (
    <div className="request-body" tabIndex={0} role="region" aria-label={t('request.body')}>
      <h3 className="request-sentence">
        <SentenceView sentence={toolSentence(name, request.arguments, 'asked')} />
      </h3>
      <RequestFacts pending={pending} workspace={view.workspace} />
      <HiddenNames names={[name, request.origin.server ?? '', coworker]} />
      <RequestChanged pending={pending} view={view} />
      <RequestArguments
        approvalId={pending.approval_id}
        request={request}
        reading={reading}
        draft={draft}
        failure={props.failure}
        onDraft={onDraft}
        onSeen={props.onSeen}
      />
      <RequestWhy pending={pending} grant={grant} />
      <ScopePanel
        sessionId={view.session_id}
        coworker={coworker}
        pending={pending}
        reading={reading}
        terms={terms}
        draft={draft}
        onDraft={onDraft}
      />
    </div>
  );
}

/** One request, whole, with the answer below it. */
export function RequestCard(props: RequestCardProps): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const { pending, view } = props;
  const parts = useRequest(props);
  const { request, draft, onDraft, terms, area, guarded } = parts;
  const [seen, setSeen] = useState(false);
  const onSeen = useCallback((next: boolean) => setSeen(next), []);
  const state = useUi((ui) => ui.answers[pending.approval_id] ?? null);
  const root = useRef<HTMLDivElement>(null);
  useFocusLoss(root, props.onFocusLoss);
  const coworker = view.coworker?.name ?? t('conversation.coworker');
  const { approval_id } = pending;
  return (
    <div ref={root} className="request" hidden={!props.shown} {...area}>
      <Head coworker={coworker} pending={pending} queue={props.queue} />
      <Body
        {...props}
        {...parts}
        coworker={coworker}
        failure={state?.status === 'failed' ? state.error : null}
        onSeen={onSeen}
      />
      <RequestAnswer
        request={request}
        terms={terms}
        draft={draft}
        guarded={guarded}
        seen={seen}
        blocked={props.blocked}
        state={state}
        onDraft={onDraft}
        onAnswer={(answer) =>
          void actions.answer({
            session_id: view.session_id,
            approval_id,
            shown: { arguments_digest: request.arguments_digest, pin: request.pin },
            answer,
          })
        }
      />
    </div>
  );
}
