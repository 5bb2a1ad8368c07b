import { TriangleAlert } from 'lucide-react';
import { useEffect, useId, useMemo, useReducer, useRef, type ReactNode } from 'react';
import type { JsonObject, JsonSchema } from '../../../../src-preload/contract';
import { useText } from '../../../messages/use-text';
import { EditingContext, type Editing } from './editing-context';
import { draftOf, type ArgumentDraft } from './draft';
import { openEditor, reduceEditor, type EditorAction, type EditorState } from './editor-state';
import { DraftSummary } from './draft-summary';
import { planForm } from './form-plan';
import { FormView } from './form-view';
import { createCheckers, createFormValidator } from './form-validator';
import { problemWords } from './problem-words';
import { writeJson } from './raw-json';
import { RawView } from './raw-view';
import type { FormRefusal } from './schema-bounds';
import './argument-editor.css';

const checkerOf = createCheckers();

/** Tells of each new draft, the first one included. */
function useReport(draft: ArgumentDraft, onChange: (draft: ArgumentDraft) => void): void {
  const listener = useRef(onChange);
  useEffect(() => {
    listener.current = onChange;
  });
  useEffect(() => listener.current(draft), [draft]);
}

function useEditingOf(dispatch: (action: EditorAction) => void): Editing {
  const awaited = useRef<string | null>(null);
  return useMemo(
    () => ({
      edit: (edit) => dispatch({ type: 'edit', edit }),
      reportUnread: (id, problem) => dispatch({ type: 'unread', id, problem }),
      choose: (pointer, variant) => dispatch({ type: 'choose', pointer, variant }),
      pin: (pointer) => dispatch({ type: 'pin', pointer }),
      focusSoon: (spot) => {
        awaited.current = spot;
      },
      takeFocus: (spot) => {
        if (awaited.current !== spot) return false;
        awaited.current = null;
        return true;
      },
    }),
    [dispatch],
  );
}

/** Form or text. Why the other one cannot be shown now is said here too. */
function ViewChoice(props: {
  readonly state: EditorState;
  readonly dispatch: (action: EditorAction) => void;
}): ReactNode {
  const { t } = useText();
  const name = useId();
  const { state, dispatch } = props;
  return (
    <>
      <fieldset className="segmented editing-view" aria-label={t('editing.view')}>
        {(['form', 'raw'] as const).map((view) => (
          <label key={view}>
            <input
              type="radio"
              name={name}
              checked={state.view === view}
              onChange={() => dispatch({ type: 'show', view })}
            />
            {t(`editing.view.${view}`)}
          </label>
        ))}
      </fieldset>
      {state.blocked ? (
        <p className="field-error editing-blocked" role="alert">
          {t(`editing.blocked.${state.view}`)}
        </p>
      ) : null}
    </>
  );
}

function OnlyRaw({ refusal }: { readonly refusal: FormRefusal }): ReactNode {
  const { t } = useText();
  return (
    <p className="editing-only-raw" role="status">
      <TriangleAlert size={14} aria-hidden />
      <span>{t('editing.only_raw', { reason: t(`editing.only_raw.${refusal}`) })}</span>
    </p>
  );
}

interface Props {
  readonly schema: JsonSchema;
  readonly value: JsonObject;
  readonly onChange: (draft: ArgumentDraft) => void;
  readonly onCancel: () => void;
}

/** The draft, what can be drawn of it and what is to be said of it. */
function useDraft(props: Props) {
  const { t } = useText();
  const { schema } = props;
  const [state, dispatch] = useReducer(reduceEditor, props.value, (value) => openEditor(value, 'form'));
  const validator = useMemo(
    () => createFormValidator({ checkerOf, words: (problem) => problemWords(problem, t) }),
    [t],
  );
  const { value, chosen, pinned, formFailed, rawProblem, unread } = state;
  const plan = useMemo(
    () => planForm({ schema, value, chosen, pinned, formFailed, validator }),
    [schema, value, chosen, pinned, formFailed, validator],
  );
  const verdict = useMemo(() => checkerOf(schema).check(value), [schema, value]);
  // Where there is no form (any more), the text stands for it.
  const shown = useMemo<EditorState>(
    () => (plan.ok || state.view === 'raw' ? state : { ...state, view: 'raw', raw: writeJson(state.value) }),
    [plan.ok, state],
  );
  const draft = useMemo(
    () => draftOf({ view: shown.view, value, rawProblem, unread, verdict, t }),
    [shown.view, value, rawProblem, unread, verdict, t],
  );
  return { shown, dispatch, plan, draft, verdict, validator };
}

/**
 * Lets a person change the arguments of a waiting call, in a form made from the tool's schema or as JSON. `value` is
 * where the draft begins; later values of it are not looked at, another `key` begins anew. `onChange` hears each draft,
 * the first one included. Its verdict is advice: who runs the call checks again.
 */
export function ArgumentEditor(props: Props): ReactNode {
  const { t } = useText();
  const { shown, dispatch, plan, draft, verdict, validator } = useDraft(props);
  const editing = useEditingOf(dispatch);
  useReport(draft, props.onChange);
  return (
    <section
      className="argument-editor"
      aria-label={t('editing.label')}
      // What is written is not to be lost by a key that closes things elsewhere.
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.stopPropagation();
      }}
    >
      <div className="editing-bar">
        {plan.ok ? <ViewChoice state={shown} dispatch={dispatch} /> : <OnlyRaw refusal={plan.refusal} />}
        <button type="button" className="button quiet small editing-cancel" onClick={props.onCancel}>
          {t('editing.cancel')}
        </button>
      </div>
      <EditingContext value={editing}>
        {plan.ok && shown.view === 'form' ? (
          <FormView
            model={plan.model}
            value={shown.value}
            problems={draft.problems}
            validator={validator}
            onFailure={() => dispatch({ type: 'form_failed' })}
          />
        ) : (
          <RawView
            text={shown.raw}
            problem={shown.rawProblem}
            onWrite={(raw) => dispatch({ type: 'write', raw })}
          />
        )}
      </EditingContext>
      <DraftSummary draft={draft} complete={verdict.complete} listed={shown.view === 'raw'} />
    </section>
  );
}
