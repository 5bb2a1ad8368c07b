import type { FieldTemplateProps, ObjectFieldTemplateProps } from '@rjsf/utils';
import { Plus } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import type { Json } from '../../../../src-preload/contract';
import { useText } from '../../../messages/use-text';
import { pointerOf, type Path } from './edit-value';
import { useEditing } from './editing-context';
import { escapeHidden } from './escape-hidden';
import { argumentOf, FieldErrors, FieldGroup, VariantChoice, type ArgumentField } from './field-frame';

/** Names that mean something to objects or to the form library. */
const refused: ReadonlySet<string> = new Set(['__proto__', '__errors', 'classNames']);

/** Adds a member under a name of the person's own, where the schema lets any name in. */
function AddMember(props: {
  readonly path: Path;
  readonly taken: readonly string[];
  readonly initial: Json;
}): ReactNode {
  const { t } = useText();
  const { edit, focusSoon } = useEditing();
  const [name, setName] = useState('');
  const id = useId();
  const taken = props.taken.includes(name) || refused.has(name) || name.startsWith('ui:');
  const add = (): void => {
    if (name === '' || taken) return;
    focusSoon(pointerOf([...props.path, name]));
    edit({ type: 'insert', path: [...props.path, name], value: props.initial });
    setName('');
  };
  return (
    <div className="field">
      <label htmlFor={id} className="field-hint">
        {t('editing.member_name')}
      </label>
      <div className="editing-add-member">
        <input
          id={id}
          className="input"
          type="text"
          autoComplete="off"
          value={name}
          aria-invalid={taken}
          aria-describedby={taken ? `${id}-taken` : undefined}
          onChange={(event) => setName(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.nativeEvent.isComposing) add();
          }}
        />
        <button
          type="button"
          className="button quiet small"
          aria-disabled={name === '' || taken}
          onClick={add}
        >
          <Plus size={14} aria-hidden />
          {t('editing.add_member')}
        </button>
      </div>
      {taken ? (
        <p className="field-error" id={`${id}-taken`}>
          {t('editing.member_taken')}
        </p>
      ) : null}
    </div>
  );
}

/** The members of an object, in the order of the form. */
export function MembersTemplate(props: ObjectFieldTemplateProps): ReactNode {
  const facts = argumentOf(props.uiSchema);
  const formData = (props.formData ?? {}) as object;
  return (
    <>
      {props.properties.map((member) => (
        <div key={member.name} className="editing-member">
          {member.content}
        </div>
      ))}
      {facts.openInitial === undefined ? null : (
        <AddMember path={props.fieldPathId.path} taken={Object.keys(formData)} initial={facts.openInitial} />
      )}
    </>
  );
}

function Group(props: { readonly field: ArgumentField; readonly children: ReactNode }): ReactNode {
  const { field } = props;
  const id = useId();
  const errors = <FieldErrors id={`${id}-errors`} problems={field.problems} />;
  if (field.path.length === 0) {
    return (
      <>
        {errors}
        <VariantChoice field={field} />
        {props.children}
      </>
    );
  }
  return (
    <FieldGroup field={field} id={id}>
      {errors}
      {props.children}
    </FieldGroup>
  );
}

/** What stands around a field: nothing, but around an object its name. */
export function PlaceTemplate(props: FieldTemplateProps): ReactNode {
  const { t } = useText();
  const facts = argumentOf(props.uiSchema);
  if (facts.kind !== 'group') return props.children;
  const path = props.fieldPathId.path;
  const last = path.at(-1);
  const words = typeof last === 'number' ? t('editing.item', { number: last + 1 }) : String(last ?? '');
  const field: ArgumentField = {
    facts,
    value: props.formData as Json,
    path,
    pointer: pointerOf(path),
    name: escapeHidden(words),
    problems: props.rawErrors ?? [],
  };
  return <Group field={field}>{props.children}</Group>;
}
