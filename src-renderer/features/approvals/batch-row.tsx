import { CircleAlert } from 'lucide-react';
import { memo, useMemo, type MouseEvent, type ReactNode } from 'react';
import type { PendingApproval } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import type { AnswerState } from '../../state/ui-store';
import { middleCut } from '../../ui/long-text';
import { failureTitle } from '../../ui/failure-note';
import { toolSentence } from '../../ui/tool-sentence';
import { VisibleText } from '../../ui/visible-text';
import { argumentForm } from './argument-form';
import { lookReason } from './batch-groups';
import { PlainArguments } from './plain-arguments';
import type { BatchOutcome } from './use-batch';

export type RowAct = 'allow' | 'deny' | 'later' | 'look';

export interface BatchRowProps {
  readonly pending: PendingApproval;
  readonly outcome: BatchOutcome;
  readonly later: boolean;
  readonly state: AnswerState | null;
  readonly onAct: (act: RowAct, pending: PendingApproval) => (event: MouseEvent) => void;
}

const tones = { allowed: 'good', denied: 'neutral', expired: 'waiting', cancelled: 'neutral' } as const;

function Buttons(props: BatchRowProps & { readonly what: string }): ReactNode {
  const { t } = useText();
  const { pending, later, onAct, what } = props;
  const mustLook = lookReason(pending.request.data) !== null;
  const button = (act: RowAct, words: string, look: string): ReactNode => (
    <button
      type="button"
      className={`button small ${look}`}
      data-act={act}
      aria-label={t('batch.act', { act: words, what })}
      onClick={onAct(act, pending)}
    >
      {words}
    </button>
  );
  return (
    <div className="batch-buttons">
      {button('later', t(later ? 'batch.not_later' : 'batch.later'), 'quiet')}
      {button('look', t('batch.look'), 'quiet')}
      {button('deny', t('approval.deny'), '')}
      {mustLook ? null : button('allow', t('approval.allow.once'), '')}
    </div>
  );
}

function Notes(props: BatchRowProps): ReactNode {
  const { t } = useText();
  const { pending, state, later } = props;
  const reason = lookReason(pending.request.data);
  return (
    <>
      {later ? <span className="tag">{t('batch.is_later')}</span> : null}
      {reason === null ? null : <span className="batch-look">{t(`batch.look.${reason}`)}</span>}
      {state?.status === 'failed' ? (
        <p className="batch-error" role="alert">
          <CircleAlert size={14} aria-hidden />
          <span className="break">
            <b>{t('batch.failed')}:</b> {failureTitle(state.error, t)}.{' '}
            <VisibleText text={state.error.message} />
          </span>
        </p>
      ) : null}
    </>
  );
}

function Arguments({ pending }: { readonly pending: PendingApproval }): ReactNode {
  const { t } = useText();
  const request = pending.request.data;
  const given = request.arguments;
  const long = lookReason(request) === 'long';
  const form = useMemo(
    () =>
      given && !long
        ? argumentForm(request.qualified_name ?? request.name, request.presentation, given)
        : null,
    [given, long, request],
  );
  if (form) return <PlainArguments form={form} />;
  if (given === null) return <p className="muted">{t('preview.withheld')}</p>;
  return (
    <p className="mono break">
      <VisibleText text={middleCut(JSON.stringify(given))} />
    </p>
  );
}

/** One call of the sheet: its arguments whole, or, where they are long, the word that it has to be opened. */
export const BatchRow = memo(function BatchRow(props: BatchRowProps): ReactNode {
  const { t } = useText();
  const { pending, outcome, later, state } = props;
  const request = pending.request.data;
  const what = useMemo(() => {
    const sentence = toolSentence(request.qualified_name ?? request.name, request.arguments, 'asked');
    const slots = Object.entries(sentence.slots).map(([name, text]) => [name, middleCut(text)] as const);
    return t(sentence.message, Object.fromEntries(slots));
  }, [request, t]);
  const sending = outcome === null && state?.status === 'sending';
  return (
    <li
      className={later && outcome === null ? 'batch-row later' : 'batch-row'}
      data-batch-line=""
      data-approval-id={pending.approval_id}
      tabIndex={-1}
      aria-label={what}
    >
      <div className="batch-what">
        <Arguments pending={pending} />
        {outcome === null ? <Notes {...props} /> : null}
      </div>
      {outcome !== null ? (
        <span className={`chip tone-${tones[outcome]}`}>{t(`batch.sent.${outcome}`)}</span>
      ) : sending ? (
        <span className="chip tone-running">{t('batch.sending')}</span>
      ) : (
        <Buttons {...props} what={what} />
      )}
    </li>
  );
});
