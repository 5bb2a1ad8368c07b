import { useId, useState, type ReactNode } from 'react';
import { grantScopes, type ApprovalRequested, type GrantScope } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import type { ApprovalAnswer } from '../../state/session-actions';
import type { AnswerState, RequestDraft } from '../../state/ui-store';
import { FailureNote } from '../../ui/failure-note';
import { NoteField } from '../../ui/note-field';
import { endOf, type RequestTerms } from './request-terms';
import { allowWords, coversWords, missingWords } from './scope-words';
import type { GuardedArea } from '../../state/use-guarded-area';

function ScopeChoice(props: {
  readonly request: ApprovalRequested;
  readonly terms: RequestTerms;
  readonly onChoose: (scope: GrantScope) => void;
}): ReactNode {
  const { t } = useText();
  const name = useId();
  const { terms, request } = props;
  const closed = terms.only_once !== null;
  return (
    <fieldset className="segmented request-scope" aria-label={t('scope.label')}>
      {grantScopes.map((scope) => {
        const off = closed && scope !== 'once';
        const covers = off
          ? t(`scope.only_once.${terms.only_once ?? 'edited'}`)
          : coversWords(request, { scope, pattern: [], only_once: null }, null, t);
        return (
          <label key={scope} title={covers} className={off ? 'off' : undefined}>
            <input
              type="radio"
              name={name}
              checked={scope === terms.scope}
              aria-disabled={off}
              onChange={() => {
                if (!off) props.onChoose(scope);
              }}
            />
            {t(`scope.${scope}`)}
          </label>
        );
      })}
    </fieldset>
  );
}

/** Words that the model reads with a denial. */
function DenialNote(props: {
  readonly note: string;
  readonly quiet: boolean;
  readonly onChange: (note: string) => void;
}): ReactNode {
  const { t } = useText();
  const words = { label: t('approval.note'), hint: t('approval.note.hint') };
  return <NoteField className="request-note" {...words} {...props} />;
}

/** The answer that Allow sends; null while something is missing. */
function allowance(terms: RequestTerms, draft: RequestDraft): ApprovalAnswer | null {
  const { scope, pattern } = terms;
  if (terms.only_once === 'edited') {
    if (!draft.fits || draft.edited === null) return null;
    return { type: 'allow', scope: 'once', arguments: { ...draft.edited } };
  }
  if (scope === 'once') return { type: 'allow', scope };
  const ends = endOf(draft, Date.now());
  if (terms.missing !== null || pattern === null || ends === undefined) return null;
  return {
    type: 'allow',
    scope,
    pattern: pattern.map((one) => structuredClone(one)) as never,
    expires_at: ends,
  };
}

/** What the line below the buttons says: what stands in the way, else what allowing covers. */
function useHint(props: AnswerProps): string {
  const { t, language } = useText();
  const { request, terms, draft, seen } = props;
  if (!seen) return t('approval.scroll_first');
  if (terms.only_once === 'edited' && !draft.fits) return t('request.edit_invalid');
  if (terms.missing !== null) return missingWords(terms.missing, t);
  const end = terms.scope === 'once' ? null : (endOf(draft, Date.now()) ?? null);
  const date =
    end === null ? null : new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(new Date(end));
  const covers = coversWords(request, terms, date, t);
  return terms.only_once === 'uninspectable' ? `${covers} ${t('scope.only_once.uninspectable')}` : covers;
}

export interface AnswerProps {
  readonly request: ApprovalRequested;
  readonly terms: RequestTerms;
  readonly draft: RequestDraft;
  readonly guarded: GuardedArea['guarded'];
  readonly seen: boolean;
  /** Why it can no longer be answered; null where it can. */
  readonly blocked: string | null;
  readonly state: AnswerState | null;
  readonly onDraft: (change: Partial<RequestDraft>) => void;
  readonly onAnswer: (answer: ApprovalAnswer) => void;
}

function Beside(props: AnswerProps & { readonly onNote: () => void }): ReactNode {
  const { t } = useText();
  const { request, draft, onDraft } = props;
  return (
    <>
      {request.arguments === null || draft.editing ? null : (
        <button type="button" className="button quiet small" onClick={() => onDraft({ editing: true })}>
          {t('request.edit')}
        </button>
      )}
      {draft.note === null ? (
        <button type="button" className="button quiet small" onClick={props.onNote}>
          {t('approval.add_note')}
        </button>
      ) : null}
    </>
  );
}

/** Deny and Allow. The text of the button says for how long, and how narrowly. */
function Decide(props: AnswerProps): ReactNode {
  const { t } = useText();
  const { terms, draft, guarded, state, onAnswer } = props;
  const hintId = useId();
  const hint = useHint(props);
  const sending = state?.status === 'sending';
  const answer = props.seen ? allowance(terms, draft) : null;
  const send = (given: ApprovalAnswer | null): void => {
    if (given !== null && !sending) onAnswer(given);
  };
  return (
    <div className="request-buttons">
      <p className="request-covers" id={hintId}>
        {hint}
      </p>
      <div className="request-actions">
        <button
          type="button"
          className="button"
          aria-disabled={sending}
          onClick={guarded(() => send({ type: 'deny', note: draft.note ?? '' }))}
        >
          {t('approval.deny')}
        </button>
        <button
          type="button"
          className="button primary"
          aria-disabled={sending || answer === null}
          aria-describedby={hintId}
          onClick={guarded(() => send(answer))}
        >
          {allowWords(terms, t)}
        </button>
      </div>
    </div>
  );
}

/** How a request is answered: for how long, with what beside it, and yes or no. */
export function RequestAnswer(props: AnswerProps): ReactNode {
  const { request, terms, draft, state, onDraft } = props;
  const [asked, setAsked] = useState(false);
  if (props.blocked !== null) return <p className="request-answer request-blocked">{props.blocked}</p>;
  return (
    <div className="request-answer">
      {draft.note === null ? null : (
        <DenialNote note={draft.note} quiet={!asked} onChange={(note) => onDraft({ note })} />
      )}
      <div className="request-buttons">
        <ScopeChoice
          request={request}
          terms={terms}
          onChoose={(scope) => onDraft({ scope, pattern: null })}
        />
        <div className="request-beside">
          <Beside
            {...props}
            onNote={() => {
              setAsked(true);
              onDraft({ note: '' });
            }}
          />
        </div>
      </div>
      <Decide {...props} />
      {state?.status === 'failed' && !draft.editing ? <FailureNote failure={state.error} announce /> : null}
    </div>
  );
}
