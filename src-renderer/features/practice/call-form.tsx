import { useEffect, useId, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react';
import { isJsonObject, type Json, type JsonObject, type ToolDefinition } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { VisibleText } from '../../ui/visible-text';
import { FieldInput } from './schema-fields';
import { draftOf, formOf, readForm, type FormProblem } from './schema-form';

function readRaw(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as Json;
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

function RawInput(props: {
  readonly text: string;
  readonly bad: boolean;
  readonly onChange: (text: string) => void;
}): ReactNode {
  const { t } = useText();
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{t('practice.raw')}</label>
      <textarea
        id={id}
        className="input mono"
        rows={5}
        spellCheck={false}
        aria-invalid={props.bad}
        value={props.text}
        onChange={(event) => props.onChange(event.target.value)}
      />
      {props.bad ? <p className="field-error">{t('practice.raw.bad')}</p> : null}
    </div>
  );
}

function InputSwitch(props: {
  readonly form: boolean;
  readonly onChoose: (form: boolean) => void;
}): ReactNode {
  const { t } = useText();
  const name = useId();
  return (
    <div className="segmented small-segments" role="group" aria-label={t('practice.input')}>
      {[true, false].map((form) => (
        <label key={String(form)}>
          <input
            type="radio"
            name={name}
            checked={props.form === form}
            onChange={() => props.onChoose(form)}
          />
          {form ? t('practice.form') : 'JSON'}
        </label>
      ))}
    </div>
  );
}

/** Leads to the first field that has a problem, each time the form is read. */
function useFirstProblem(problems: readonly FormProblem[]): RefObject<HTMLDivElement | null> {
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (problems.length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);
  return form;
}

function Foot(props: {
  readonly busy: boolean;
  readonly onCall: () => void;
  readonly form: boolean;
  readonly onChoose: (form: boolean) => void;
}): ReactNode {
  const { t } = useText();
  return (
    <div className="practice-foot">
      <button type="button" className="button primary" aria-disabled={props.busy} onClick={props.onCall}>
        {t('practice.call')}
      </button>
      <InputSwitch form={props.form} onChoose={props.onChoose} />
    </div>
  );
}

/** The arguments of one tool, as a form made from its schema or as raw JSON. */
export function CallForm(props: {
  readonly tool: ToolDefinition;
  readonly busy: boolean;
  readonly onCall: (given: JsonObject) => void;
}): ReactNode {
  const { t } = useText();
  const { tool } = props;
  const fields = useMemo(() => formOf(tool.input_schema), [tool]);
  const [draft, setDraft] = useState(() => draftOf(fields));
  const [raw, setRaw] = useState<string | null>(null);
  const [problems, setProblems] = useState<readonly FormProblem[]>([]);
  const [rawBad, setRawBad] = useState(false);
  const form = useFirstProblem(problems);
  const call = (): void => {
    if (props.busy) return;
    if (raw !== null) {
      const value = readRaw(raw);
      setRawBad(value === null);
      if (value) props.onCall(value);
      return;
    }
    const read = readForm(fields, draft);
    setProblems(read.problems);
    if (read.problems.length === 0) props.onCall(read.value);
  };
  const switchTo = (form: boolean): void => {
    setRawBad(false);
    setRaw(form ? null : JSON.stringify(readForm(fields, draft).value, null, 2));
  };
  return (
    <>
      <div className="practice-body call-form" ref={form}>
        <p className="muted small break">
          <VisibleText text={tool.description} />
        </p>
        {raw === null ? (
          <div className="form-fields">
            {fields.length === 0 ? <p className="muted">{t('practice.no_arguments')}</p> : null}
            {fields.map((field) => (
              <FieldInput
                key={field.key}
                field={field}
                draft={draft[field.key]}
                path={`/${field.key}`}
                problems={problems}
                onChange={(next) => setDraft({ ...draft, [field.key]: next })}
              />
            ))}
          </div>
        ) : (
          <RawInput text={raw} bad={rawBad} onChange={setRaw} />
        )}
      </div>
      <Foot busy={props.busy} onCall={call} form={raw === null} onChoose={switchTo} />
    </>
  );
}
