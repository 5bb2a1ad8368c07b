import { BrainCircuit, ChevronRight, RotateCw } from 'lucide-react';
import { useDeferredValue, useState, type ReactNode } from 'react';
import { attemptText, turnEnd, type AttemptView, type TurnView } from '../../../src-preload/contract';
import { formatDuration } from '../../messages/format';
import { useText } from '../../messages/use-text';
import { FailureNote } from '../../ui/failure-note';
import { LongText } from '../../ui/long-text';
import { Markdown } from './markdown';

function Reasoning({ text, live }: { readonly text: string; readonly live: boolean }): ReactNode {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  return (
    <div className="reasoning">
      <button type="button" className="fold-button" aria-expanded={open} onClick={() => setOpen(!open)}>
        <ChevronRight size={14} aria-hidden className={open ? 'turned' : ''} />
        <BrainCircuit size={14} aria-hidden />
        {live ? t('conversation.thinking') : t('conversation.thoughts')}
      </button>
      {open ? (
        <div className="reasoning-text">
          <Markdown text={text} />
        </div>
      ) : null}
    </div>
  );
}

function AttemptFailure({
  attempt,
  last,
}: {
  readonly attempt: AttemptView;
  readonly last: boolean;
}): ReactNode {
  const { t, language } = useText();
  const failed = attempt.failed?.data;
  if (!failed) return null;
  const retries = failed.retry_in_ms !== null;
  return (
    <FailureNote failure={failed.error} quiet={retries}>
      {failed.partial_text === '' ? null : (
        <details className="partial-text">
          <summary>{t('attempt.partial')}</summary>
          <p>
            <LongText text={failed.partial_text} />
          </p>
        </details>
      )}
      {failed.left_out === undefined ? null : (
        <p className="retry-line">{t('attempt.left_out', { tool: failed.left_out })}</p>
      )}
      {retries ? (
        <p className="muted retry-line">
          <RotateCw size={13} aria-hidden />
          {t(last ? 'attempt.retries' : 'attempt.retried', {
            attempt: attempt.attempt + 1,
            time: formatDuration(failed.retry_in_ms ?? 0, t, language),
          })}
        </p>
      ) : null}
    </FailureNote>
  );
}

/** Something goes on of which nothing can be shown yet. */
export function Working({ label }: { readonly label: string }): ReactNode {
  return (
    <p className="working-line">
      <span className="working-dots" aria-hidden>
        <i />
        <i />
        <i />
      </span>
      {label}
    </p>
  );
}

/** One request to the model: its thoughts, its text, and how it failed. The calls of it follow from outside. */
export function AttemptBlock(props: {
  readonly turn: TurnView;
  readonly attempt: AttemptView;
  readonly last: boolean;
  /** The person plays the model: nobody is thinking. */
  readonly practice: boolean;
}): ReactNode {
  const { t } = useText();
  const { attempt, turn } = props;
  const message = attempt.message?.data;
  const ended = turnEnd(turn) !== null;
  const live = !message && !attempt.failed && !ended;
  // The end of the app is said by the turn; the partial text of any other failed attempt stands with its failure.
  const interrupted = attempt.failed?.data.error.code === 'interrupted';
  const failed = attempt.failed !== null && !interrupted;
  const kept = failed
    ? { text: '', reasoning: '' }
    : { text: attemptText(attempt, 'text'), reasoning: attemptText(attempt, 'reasoning') };
  const cutOff = !message && !failed && ended && kept.text + kept.reasoning !== '';
  const text = useDeferredValue(kept.text);
  const waitsForFirst = live && kept.text === '' && !props.practice;
  return (
    <div className={cutOff ? 'attempt cut-off' : 'attempt'}>
      {cutOff ? <p className="partial-mark">{t('attempt.cut_off')}</p> : null}
      {kept.reasoning === '' ? null : <Reasoning text={kept.reasoning} live={live && kept.text === ''} />}
      {text === '' ? null : <Markdown text={text} />}
      {waitsForFirst ? (
        <Working label={t(kept.reasoning === '' ? 'attempt.waiting' : 'conversation.thinking')} />
      ) : null}
      {message && !message.partial && message.text === '' && message.calls.length === 0 ? (
        <p className="muted small">{t('attempt.empty')}</p>
      ) : null}
      {message?.partial ? <p className="partial-mark">{t('attempt.stopped_here')}</p> : null}
      {failed ? <AttemptFailure attempt={attempt} last={props.last} /> : null}
    </div>
  );
}
