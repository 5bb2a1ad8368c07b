import { Plus, X } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { useText } from '../../messages/use-text';
import { IconButton } from '../../ui/buttons';
import { VisibleText } from '../../ui/visible-text';
import { initialDraft, type Draft, type Field, type FormProblem } from './schema-form';

interface FieldProps {
  readonly field: Field;
  readonly draft: Draft | undefined;
  readonly path: string;
  readonly problems: readonly FormProblem[];
  readonly onChange: (draft: Draft) => void;
}

type Leaf = Exclude<Field, { kind: 'list' | 'group' }>;

function choicesOf(field: Leaf): readonly { readonly id: string; readonly label: string }[] | null {
  if (field.kind === 'boolean') return ['true', 'false'].map((id) => ({ id, label: id }));
  if (field.kind !== 'choice') return null;
  return field.options.map((option, index) => ({
    id: String(index),
    label: typeof option === 'string' ? option : JSON.stringify(option),
  }));
}

function LeafInput(
  props: FieldProps & { readonly field: Leaf; readonly id: string; readonly bad: boolean },
): ReactNode {
  const { t } = useText();
  const { field, id } = props;
  const text = typeof props.draft === 'string' ? props.draft : '';
  const shared = {
    id,
    className: field.kind === 'json' ? 'input mono' : 'input',
    value: text,
    'aria-invalid': props.bad,
    'aria-required': field.required,
    onChange: (event: { readonly target: { readonly value: string } }) => props.onChange(event.target.value),
  };
  const choices = choicesOf(field);
  if (choices) {
    return (
      <select {...shared}>
        <option value="">{field.required ? t('form.choose') : t('form.left_out')}</option>
        {choices.map((choice) => (
          <option key={choice.id} value={choice.id}>
            {choice.label}
          </option>
        ))}
      </select>
    );
  }
  if (field.kind === 'json' || (field.kind === 'text' && field.multiline)) {
    return <textarea {...shared} rows={field.kind === 'json' ? 3 : 2} spellCheck={field.kind !== 'json'} />;
  }
  return (
    <input
      {...shared}
      type="text"
      inputMode={field.kind === 'number' ? 'decimal' : 'text'}
      autoComplete="off"
    />
  );
}

function Description({ field }: { readonly field: Field }): ReactNode {
  return field.description === null ? null : (
    <p className="field-hint break">
      <VisibleText text={field.description} />
    </p>
  );
}

function LeafField(props: FieldProps & { readonly field: Leaf }): ReactNode {
  const { t } = useText();
  const id = useId();
  const { field } = props;
  const mine = props.problems.find((entry) => entry.path === props.path);
  return (
    <div className="field">
      <label htmlFor={id}>
        <VisibleText text={field.title === '' ? t('form.item') : field.title} />
        {field.required ? null : <span className="muted optional"> {t('form.optional')}</span>}
      </label>
      <LeafInput {...props} id={id} bad={mine !== undefined} />
      <Description field={field} />
      {mine ? <p className="field-error">{t(`form.problem.${mine.problem}`)}</p> : null}
    </div>
  );
}

function ListField(props: FieldProps & { readonly field: Field & { kind: 'list' } }): ReactNode {
  const { t } = useText();
  const { field } = props;
  const items = Array.isArray(props.draft) ? (props.draft as readonly Draft[]) : [];
  return (
    <fieldset className="form-group">
      <legend className="field-label">
        <VisibleText text={field.title} />
      </legend>
      <Description field={field} />
      {items.map((item, index) => (
        <div key={index} className="form-item">
          <FieldInput
            field={field.item}
            draft={item}
            path={`${props.path}/${index}`}
            problems={props.problems}
            onChange={(next) => props.onChange(items.map((known, at) => (at === index ? next : known)))}
          />
          <IconButton
            small
            icon={X}
            label={t('form.remove', { number: index + 1 })}
            onClick={() => props.onChange(items.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <button
        type="button"
        className="button quiet small"
        onClick={() => props.onChange([...items, initialDraft(field.item)])}
      >
        <Plus size={14} aria-hidden />
        {t('form.add')}
      </button>
    </fieldset>
  );
}

/** One field of the form, whatever its kind. */
export function FieldInput(props: FieldProps): ReactNode {
  const { field } = props;
  if (field.kind === 'list') return <ListField {...props} field={field} />;
  if (field.kind !== 'group') return <LeafField {...props} field={field} />;
  const draft = (typeof props.draft === 'object' ? props.draft : {}) as Readonly<Record<string, Draft>>;
  return (
    <fieldset className="form-group">
      <legend className="field-label">
        <VisibleText text={field.title} />
      </legend>
      <Description field={field} />
      {field.fields.map((member) => (
        <FieldInput
          key={member.key}
          field={member}
          draft={draft[member.key]}
          path={`${props.path}/${member.key}`}
          problems={props.problems}
          onChange={(next) => props.onChange({ ...draft, [member.key]: next })}
        />
      ))}
    </fieldset>
  );
}
