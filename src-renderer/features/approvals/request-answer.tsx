import { useId, useState, type MouseEvent, type ReactNode } from 'react';
import type { ApprovalRequested, GrantScope } from '../../../src-preload/contract';
import { useText, type MessageKey } from '../../messages/use-text';
import type { ApprovalAnswer } from '../../state/session-actions';
import type { AnswerState } from '../../state/ui-store';
import { FailureNote } from '../../ui/failure-note';
import { NoteField } from '../../ui/note-field';
import type { ClickGuard } from './click-guard';

const scopes: readonly GrantScope[] = ['once', 'session'];

function ScopeChoice(props: {
  readonly scope: GrantScope;
  readonly onChoose: (scope: GrantScope) => void;
}): ReactNode {
  const { t } = useText();
  const name = useId();
  return (
    <fieldset className="segmented request-scope" aria-label={t('scope.label')}>
      {scopes.map((scope) => (
        <label key={scope}>
          <input
            type="radio"
            name={name}
            checked={scope === props.scope}
            onChange={() => props.onChoose(scope)}
          />
          {t(`scope.${scope}`)}
        </label>
      ))}
    </fieldset>
  );
}

/** Words that the model reads with a denial. */
function DenialNote(props: { readonly note: string; readonly onChange: (note: string) => void }): ReactNode {
  const { t } = useText();
  const words = { label: t('approval.note'), hint: t('approval.note.hint') };
  return <NoteField className="request-note" {...words} {...props} />;
}

/** What allowing covers. Of withheld arguments it says that they are not shown. */
function coversKey(request: ApprovalRequested, scope: GrantScope): MessageKey {
  return scope === 'once' && request.arguments === null
    ? 'scope.once.covers_withheld'
    : `scope.${scope}.covers`;
}

/** Deny and Allow. The text of the button says for how long. */
export function RequestAnswer(props: {
  readonly request: ApprovalRequested;
  readonly guard: ClickGuard;
  readonly seen: boolean;
  readonly state: AnswerState | null;
  readonly onAnswer: (answer: ApprovalAnswer) => void;
}): ReactNode {
  const { t } = useText();
  const { request, guard, state, onAnswer } = props;
  const [scope, setScope] = useState<GrantScope>('once');
  const [note, setNote] = useState<string | null>(null);
  const hintId = useId();
  const sending = state?.status === 'sending';
  const answer = (event: MouseEvent, given: ApprovalAnswer): void => {
    const verdict = guard.judge({ isTrusted: event.nativeEvent.isTrusted, detail: event.detail });
    if (verdict !== 'accept' || sending) return;
    if (given.type === 'allow' && !props.seen) return;
    onAnswer(given);
  };
  return (
    <div className="request-answer">
      {note === null ? null : <DenialNote note={note} onChange={setNote} />}
      <div className="request-buttons">
        <ScopeChoice scope={scope} onChoose={setScope} />
        <div className="request-actions">
          {note === null ? (
            <button type="button" className="button quiet" onClick={() => setNote('')}>
              {t('approval.add_note')}
            </button>
          ) : null}
          <button
            type="button"
            className="button"
            aria-disabled={sending}
            onClick={(event) => answer(event, { type: 'deny', note: note ?? '' })}
          >
            {t('approval.deny')}
          </button>
          <button
            type="button"
            className="button primary"
            aria-disabled={sending || !props.seen}
            aria-describedby={hintId}
            onClick={(event) => answer(event, { type: 'allow', scope })}
          >
            {t(`approval.allow.${scope}`)}
          </button>
        </div>
      </div>
      <p className="request-covers" id={hintId}>
        {props.seen
          ? t(coversKey(request, scope), { tool: request.qualified_name ?? request.name })
          : t('approval.scroll_first')}
      </p>
      {state?.status === 'failed' ? <FailureNote failure={state.error} announce /> : null}
    </div>
  );
}
