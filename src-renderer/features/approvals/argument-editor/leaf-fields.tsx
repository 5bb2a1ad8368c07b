import type { FieldProps } from '@rjsf/utils';
import { Plus } from 'lucide-react';
import { useEffect, useId, useState, type ReactNode } from 'react';
import type { Json } from '../../../../src-preload/contract';
import { useText } from '../../../messages/use-text';
import { sameJson } from './edit-value';
import { useEditing } from './editing-context';
import { escapeHidden, hidesSomething } from './escape-hidden';
import {
  FieldErrors,
  FieldFrame,
  FieldHint,
  FieldName,
  hasHint,
  useArgument,
  useFieldIds,
  useFocusOf,
  VariantChoice,
  type ArgumentField,
} from './field-frame';
import { choiceText, isLongText, lineEndsOf, withLineEnds } from './leaf-text';
import { readJson, writeJson } from './raw-json';
import { readNumber } from './read-number';

type Control = HTMLInputElement & HTMLTextAreaElement & HTMLSelectElement;

/** A text as it is. Its control has one line or grows with it. */
export function TextField(props: FieldProps): ReactNode {
  const field = useArgument(props);
  const { edit } = useEditing();
  const text = typeof field.value === 'string' ? field.value : '';
  const hint = hasHint(field);
  const ids = useFieldIds({ hint, errors: field.problems.length > 0, hidden: hidesSomething(text) });
  const control = useFocusOf<Control>(field.pointer);
  const listId = useId();
  const last = field.path.at(-1);
  // Chosen once: another control would lose the place in which the person writes.
  const [long] = useState(() => isLongText(typeof last === 'string' ? last : '', text));
  const shared = {
    ref: control,
    id: ids.control,
    value: text,
    'aria-describedby': ids.describedBy,
    'aria-invalid': field.problems.length > 0,
    'aria-required': field.facts.required,
    onChange: (event: { readonly target: { readonly value: string } }) => {
      const value = withLineEnds(event.target.value, lineEndsOf(text));
      edit({ type: 'set', path: field.path, value });
    },
  };
  const { suggestions } = field.facts;
  return (
    <FieldFrame field={field} ids={ids} problems={field.problems} text={text}>
      {long || /[\n\r]/.test(text) ? (
        <textarea {...shared} className="input editing-grows" rows={2} />
      ) : (
        <input
          {...shared}
          className="input"
          type="text"
          autoComplete="off"
          list={suggestions.length > 0 ? listId : undefined}
        />
      )}
      {suggestions.length > 0 ? (
        <datalist id={listId}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      ) : null}
    </FieldFrame>
  );
}

/** Tells the draft that a field's text means nothing, for as long as it does. */
function useUnread(field: ArgumentField, message: string | null): void {
  const id = useId();
  const { reportUnread } = useEditing();
  const { pointer } = field;
  useEffect(() => {
    if (message === null) return;
    reportUnread(id, { path: pointer, message });
    return () => reportUnread(id, null);
  }, [id, message, pointer, reportUnread]);
}

/** A number as the person writes it. Empty, it is not there. */
export function NumberField(props: FieldProps): ReactNode {
  const { t } = useText();
  const field = useArgument(props);
  const { edit, focusSoon } = useEditing();
  const written = typeof field.value === 'number' ? String(field.value) : '';
  const [draft, setDraft] = useState(written);
  const mayBeEmpty = typeof field.path.at(-1) === 'string';
  const meaning = draft.trim() === '' && mayBeEmpty ? undefined : readNumber(draft);
  // What was written stays as it was written, as long as it means what stands in the value.
  const stale =
    meaning === undefined ? field.value !== undefined : meaning.ok && meaning.value !== field.value;
  const text = stale ? written : draft;
  const unread = stale || meaning === undefined || meaning.ok ? null : meaning.error.code;
  const message = unread === 'inexact_number' ? t('editing.inexact_number') : t('editing.not_a_number');
  useUnread(field, unread === null ? null : message);
  const problems = unread === null ? field.problems : [message];
  const ids = useFieldIds({
    hint: hasHint(field),
    errors: problems.length > 0,
    hidden: hidesSomething(text),
  });
  const control = useFocusOf<HTMLInputElement>(field.pointer);
  const onChange = (next: string): void => {
    setDraft(next);
    const reading = readNumber(next);
    if (next.trim() === '' && mayBeEmpty) {
      focusSoon(`${field.pointer}#add`);
      edit({ type: 'leave_out', path: field.path });
    } else if (reading.ok) edit({ type: 'set', path: field.path, value: reading.value });
  };
  return (
    <FieldFrame field={field} ids={ids} problems={problems} text={text}>
      <input
        ref={control}
        id={ids.control}
        className="input editing-number"
        type="text"
        inputMode="decimal"
        autoComplete="off"
        value={text}
        aria-describedby={ids.describedBy}
        aria-invalid={problems.length > 0}
        aria-required={field.facts.required}
        onChange={(event) => onChange(event.target.value)}
      />
    </FieldFrame>
  );
}

/** One of a few values: yes and no, or what the schema lists. */
export function ChoiceField(props: FieldProps): ReactNode {
  const { t } = useText();
  const field = useArgument(props);
  const { edit } = useEditing();
  const { facts, value } = field;
  const flags = [true, false].map((one) => ({ value: one, title: t(one ? 'editing.yes' : 'editing.no') }));
  const choices = facts.kind === 'flag' ? flags : facts.choices;
  const chosen = value === undefined ? -1 : choices.findIndex((choice) => sameJson(choice.value, value));
  const ids = useFieldIds({
    hint: hasHint(field),
    errors: field.problems.length > 0,
    hidden: typeof value === 'string' && hidesSomething(value),
  });
  const control = useFocusOf<HTMLSelectElement>(field.pointer);
  const words = (choice: { readonly value: Json; readonly title: string | null }): string => {
    const text = choice.value === null ? t('editing.nothing') : choiceText(choice.value);
    const shown = facts.kind === 'flag' ? (choice.title ?? text) : text;
    return escapeHidden(choice.title === null || facts.kind === 'flag' ? shown : `${text} (${choice.title})`);
  };
  const empty = chosen === -1 || facts.removable;
  return (
    <FieldFrame
      field={{ ...field, facts: { ...facts, removable: facts.removable && !facts.known } }}
      ids={ids}
      problems={field.problems}
      text={typeof value === 'string' ? value : ''}
    >
      <select
        ref={control}
        id={ids.control}
        className="input"
        value={chosen}
        aria-describedby={ids.describedBy}
        aria-invalid={field.problems.length > 0}
        aria-required={facts.required}
        onChange={(event) => {
          const choice = choices[Number(event.target.value)];
          if (choice) edit({ type: 'set', path: field.path, value: choice.value });
          else if (facts.removable) edit({ type: 'leave_out', path: field.path });
        }}
      >
        {empty ? (
          <option value={-1}>{t(facts.removable ? 'editing.left_out' : 'editing.choose')}</option>
        ) : null}
        {choices.map((choice, index) => (
          <option key={index} value={index}>
            {words(choice)}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

/** Any value, written as JSON: where the schema says nothing, or something else than what stands there. */
export function JsonField(props: FieldProps): ReactNode {
  const { t } = useText();
  const field = useArgument(props);
  const { edit, pin } = useEditing();
  const value = field.value ?? null;
  const [draft, setDraft] = useState(() => writeJson(value));
  const meaning = readJson(draft);
  const stale = meaning.ok && !sameJson(meaning.value, value);
  const text = stale ? writeJson(value) : draft;
  const message = meaning.ok
    ? null
    : t('editing.not_json', {
        line: meaning.problem.line,
        column: meaning.problem.column,
        problem: t(`editing.raw.${meaning.problem.kind}`),
      });
  useUnread(field, message);
  const problems = message === null ? field.problems : [message];
  const ids = useFieldIds({ hint: true, errors: problems.length > 0, hidden: hidesSomething(text) });
  const control = useFocusOf<HTMLTextAreaElement>(field.pointer);
  const ownHint = `${ids.hint}-own`;
  return (
    <FieldFrame field={field} ids={{ ...ids, hint: ownHint }} problems={problems} text={text}>
      <textarea
        ref={control}
        id={ids.control}
        className="input mono editing-grows"
        rows={1}
        spellCheck={false}
        value={text}
        aria-describedby={hasHint(field) ? `${ids.describedBy} ${ownHint}` : ids.describedBy}
        aria-invalid={problems.length > 0}
        // What is written may fit another kind of field at any moment: it becomes one when the person has left.
        onFocus={() => pin(field.pointer)}
        onBlur={() => pin(null)}
        onChange={(event) => {
          setDraft(event.target.value);
          const reading = readJson(event.target.value);
          if (reading.ok) edit({ type: 'set', path: field.path, value: reading.value });
        }}
      />
      <p className="field-hint" id={ids.hint}>
        {t('editing.as_json')}
      </p>
    </FieldFrame>
  );
}

/** A place with one button that puts a first value there. */
function EmptyPlace(props: {
  readonly field: ArgumentField;
  readonly shown: string;
  readonly action: string;
  readonly spot: string;
}): ReactNode {
  const { field } = props;
  const { edit, focusSoon } = useEditing();
  const errors = useId();
  const button = useFocusOf<HTMLButtonElement>(props.spot);
  return (
    <div className="field">
      <div className="editing-empty">
        <span className="field-label break">
          <FieldName field={field} />
        </span>
        <i className="muted">{props.shown}</i>
        <button
          ref={button}
          type="button"
          className="button quiet small"
          aria-label={props.action}
          aria-describedby={field.problems.length > 0 ? errors : undefined}
          onClick={() => {
            focusSoon(field.pointer);
            edit({ type: 'set', path: field.path, value: field.facts.initial });
          }}
        >
          <Plus size={14} aria-hidden />
          {props.action}
        </button>
      </div>
      <VariantChoice field={field} />
      <FieldErrors id={errors} problems={field.problems} />
      <FieldHint field={field} id={`${errors}-hint`} />
    </div>
  );
}

/** A member that is not there. Nothing stands in the arguments for it until the person adds it. */
export function AbsentField(props: FieldProps): ReactNode {
  const { t } = useText();
  const field = useArgument(props);
  const action = t('editing.add', { name: field.name });
  return (
    <EmptyPlace field={field} shown={t('editing.absent')} action={action} spot={`${field.pointer}#add`} />
  );
}

/** `null` where something else may stand as well. */
export function NothingField(props: FieldProps): ReactNode {
  const { t } = useText();
  const field = useArgument(props);
  const action = t('editing.write_value', { name: field.name });
  return (
    <EmptyPlace field={field} shown={t('editing.nothing')} action={action} spot={`${field.pointer}#write`} />
  );
}
