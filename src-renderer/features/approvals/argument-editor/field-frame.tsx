import type { FieldProps } from '@rjsf/utils';
import { X } from 'lucide-react';
import { useEffect, useId, useRef, type ReactNode, type RefObject } from 'react';
import type { Json } from '../../../../src-preload/contract';
import { useText } from '../../../messages/use-text';
import { IconButton } from '../../../ui/buttons';
import { VisibleText } from '../../../ui/visible-text';
import { pointerOf, type Path } from './edit-value';
import { useEditing } from './editing-context';
import { escapeHidden } from './escape-hidden';
import type { FieldFacts } from './form-model';
import { HiddenNote } from './hidden-note';

/** A field as the form library hands it over, with what the form model says of it. */
export interface ArgumentField {
  readonly facts: FieldFacts;
  readonly value: Json | undefined;
  readonly path: Path;
  readonly pointer: string;
  /** What a sentence calls it; nothing in it hides. */
  readonly name: string;
  readonly problems: readonly string[];
}

export function argumentOf(uiSchema: FieldProps['uiSchema']): FieldFacts {
  const options = uiSchema?.['ui:options'] as { readonly argument?: FieldFacts } | undefined;
  if (!options?.argument) throw new Error('A field of the argument form has no facts.');
  return options.argument;
}

export function useArgument(props: FieldProps): ArgumentField {
  const { t } = useText();
  const path = props.fieldPathId.path;
  const last = path.at(-1);
  const words = typeof last === 'number' ? t('editing.item', { number: last + 1 }) : String(last ?? '');
  return {
    facts: argumentOf(props.uiSchema),
    value: props.formData as Json | undefined,
    path,
    pointer: pointerOf(path),
    name: escapeHidden(words),
    problems: props.rawErrors ?? [],
  };
}

/** Ids that tie a control to what is said about it. */
export interface FieldIds {
  readonly control: string;
  readonly describedBy: string | undefined;
  readonly hint: string;
  readonly errors: string;
  readonly hidden: string;
}

export function useFieldIds(given: {
  readonly hint: boolean;
  readonly errors: boolean;
  readonly hidden: boolean;
}): FieldIds {
  const id = useId();
  const ids = { hint: `${id}-hint`, errors: `${id}-errors`, hidden: `${id}-hidden` };
  const said = (['errors', 'hidden', 'hint'] as const).filter((one) => given[one]).map((one) => ids[one]);
  return { control: id, describedBy: said.length === 0 ? undefined : said.join(' '), ...ids };
}

/** Takes the focus when it was meant for this spot. */
export function useFocusOf<T extends HTMLElement>(spot: string): RefObject<T | null> {
  const target = useRef<T>(null);
  const { takeFocus } = useEditing();
  useEffect(() => {
    if (target.current && takeFocus(spot)) target.current.focus();
  }, [spot, takeFocus]);
  return target;
}

/** The name of a field, and what is to be known about it in a word. */
export function FieldName({ field }: { readonly field: ArgumentField }): ReactNode {
  const { t } = useText();
  const { facts, path } = field;
  const last = path.at(-1);
  return (
    <>
      {typeof last === 'number' ? (
        t('editing.item', { number: last + 1 })
      ) : (
        <VisibleText text={String(last ?? '')} />
      )}
      {facts.known ? null : <span className="editing-unknown"> ({t('editing.unknown')})</span>}
      {facts.known && !facts.required ? (
        <span className="muted editing-optional"> {t('editing.optional')}</span>
      ) : null}
    </>
  );
}

/** What the schema says of a field besides its name. The choice of a branch says its title already. */
function hintsOf(field: ArgumentField): readonly string[] {
  const { title, description, variants } = field.facts;
  const hints = [variants.length > 1 ? null : title, description];
  return hints.filter((one) => one !== null && one !== field.name) as string[];
}

export function FieldHint(props: { readonly field: ArgumentField; readonly id: string }): ReactNode {
  const words = hintsOf(props.field);
  return words.length === 0 ? null : (
    <p className="field-hint break" id={props.id}>
      <VisibleText text={words.join(': ')} />
    </p>
  );
}

export function hasHint(field: ArgumentField): boolean {
  return hintsOf(field).length > 0;
}

export function FieldErrors(props: { readonly problems: readonly string[]; readonly id: string }): ReactNode {
  return props.problems.length === 0 ? null : (
    <div className="field-error" id={props.id}>
      {props.problems.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
    </div>
  );
}

/** Which of its forms a value with several is shown in. Choosing changes the form, not the value. */
export function VariantChoice({ field }: { readonly field: ArgumentField }): ReactNode {
  const { t } = useText();
  const { choose } = useEditing();
  const id = useId();
  const { variants, chosen } = field.facts;
  if (variants.length < 2) return null;
  return (
    <div className="editing-variant">
      <label htmlFor={id} className="field-hint">
        {t('editing.variant', { name: field.name })}
      </label>
      <select
        id={id}
        className="input"
        value={chosen}
        onChange={(event) => choose(field.pointer, Number(event.target.value))}
      >
        {variants.map((title, index) => (
          <option key={index} value={index}>
            {title === null ? t('editing.variant_number', { number: index + 1 }) : escapeHidden(title)}
          </option>
        ))}
      </select>
    </div>
  );
}

export function LeaveOut({ field }: { readonly field: ArgumentField }): ReactNode {
  const { t } = useText();
  const { edit, focusSoon } = useEditing();
  return field.facts.removable ? (
    <IconButton
      small
      icon={X}
      label={t('editing.leave_out', { name: field.name })}
      onClick={() => {
        focusSoon(field.facts.known ? `${field.pointer}#add` : '#form');
        edit({ type: 'leave_out', path: field.path });
      }}
    />
  ) : null;
}

function MakeNothing({ field }: { readonly field: ArgumentField }): ReactNode {
  const { t } = useText();
  const { edit, focusSoon } = useEditing();
  if (!field.facts.nullable || field.facts.kind === 'choice' || field.value == null) return null;
  return (
    <button
      type="button"
      className="link-button small"
      onClick={() => {
        focusSoon(`${field.pointer}#write`);
        edit({ type: 'set', path: field.path, value: null });
      }}
    >
      {t('editing.make_nothing', { name: field.name })}
    </button>
  );
}

/** What stands below the name of a list or an object. */
export function GroupHead({ field, id }: { readonly field: ArgumentField; readonly id: string }): ReactNode {
  if (!hasHint(field) && !field.facts.removable) return null;
  return (
    <div className="editing-group-head">
      <FieldHint field={field} id={id} />
      <LeaveOut field={field} />
    </div>
  );
}

/** Name, control and all that is said about one value. An item of a list is named by its place, for those who hear it. */
export function FieldFrame(props: {
  readonly field: ArgumentField;
  readonly ids: FieldIds;
  readonly problems: readonly string[];
  /** What stands in the control, to be looked through for characters that cannot be seen. */
  readonly text: string;
  readonly children: ReactNode;
}): ReactNode {
  const { field, ids } = props;
  return (
    <div className="field">
      <div className={typeof field.path.at(-1) === 'number' ? 'visually-hidden' : 'editing-head'}>
        <label htmlFor={ids.control} className="field-label break">
          <FieldName field={field} />
        </label>
        <LeaveOut field={field} />
      </div>
      <VariantChoice field={field} />
      {props.children}
      <HiddenNote id={ids.hidden} text={props.text} />
      <FieldErrors id={ids.errors} problems={props.problems} />
      <FieldHint field={field} id={ids.hint} />
      <MakeNothing field={field} />
    </div>
  );
}

/** Fields that belong together under one name; `id` is the group's own, its errors are `{id}-errors`. */
export function FieldGroup(props: {
  readonly field: ArgumentField;
  readonly id: string;
  readonly children: ReactNode;
}): ReactNode {
  const { field, id } = props;
  const group = useFocusOf<HTMLFieldSetElement>(field.pointer);
  return (
    <fieldset
      ref={group}
      tabIndex={-1}
      className="editing-group"
      aria-describedby={field.problems.length > 0 ? `${id}-errors` : undefined}
    >
      <legend className="field-label break">
        <FieldName field={field} />
      </legend>
      <GroupHead field={field} id={`${id}-hint`} />
      <VariantChoice field={field} />
      {props.children}
    </fieldset>
  );
}
