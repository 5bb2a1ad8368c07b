import {
  toFieldPathId,
  type ErrorSchema,
  type FieldProps,
  type RJSFSchema,
  type UiSchema,
} from '@rjsf/utils';
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { useText } from '../../../messages/use-text';
import { IconButton } from '../../../ui/buttons';
import { useEditing } from './editing-context';
import { FieldErrors, FieldGroup, useArgument, useFocusOf, type ArgumentField } from './field-frame';

let keys = 0;
const newKey = (): number => (keys += 1);

/** Keys that move along with the items: what a person is writing in an item stays with it. */
function useItemKeys(length: number) {
  const [known, setKnown] = useState<readonly number[]>(() => Array.from({ length }, newKey));
  const fitting = known.length === length ? known : Array.from({ length }, (_, at) => known[at] ?? newKey());
  if (fitting !== known) setKnown(fitting);
  return { itemKeys: fitting, setItemKeys: setKnown };
}

function ItemButtons(props: {
  readonly field: ArgumentField;
  readonly index: number;
  readonly total: number;
  readonly itemKeys: readonly number[];
  readonly setItemKeys: (keys: readonly number[]) => void;
}): ReactNode {
  const { t } = useText();
  const { edit, focusSoon } = useEditing();
  const { field, index, total, itemKeys, setItemKeys } = props;
  const move = (to: number): void => {
    const key = itemKeys[index];
    if (to < 0 || to >= total || key === undefined) return;
    setItemKeys(itemKeys.toSpliced(index, 1).toSpliced(to, 0, key));
    edit({ type: 'move', path: [...field.path, index], to });
  };
  return (
    <div className="editing-item-buttons">
      <IconButton
        small
        icon={ArrowUp}
        label={t('editing.move_up', { number: index + 1 })}
        disabled={index === 0}
        onClick={() => move(index - 1)}
      />
      <IconButton
        small
        icon={ArrowDown}
        label={t('editing.move_down', { number: index + 1 })}
        disabled={index === total - 1}
        onClick={() => move(index + 1)}
      />
      <IconButton
        small
        icon={X}
        label={t('editing.remove_item', { number: index + 1 })}
        onClick={() => {
          setItemKeys(itemKeys.toSpliced(index, 1));
          focusSoon(`${field.pointer}#list`);
          edit({ type: 'leave_out', path: [...field.path, index] });
        }}
      />
    </div>
  );
}

function AddItem({ field, total }: { readonly field: ArgumentField; readonly total: number }): ReactNode {
  const { t } = useText();
  const { edit, focusSoon } = useEditing();
  // Drawn anew with each change of length, so that a removal finds it.
  const button = useFocusOf<HTMLButtonElement>(`${field.pointer}#list`);
  return (
    <button
      ref={button}
      type="button"
      className="button quiet small"
      onClick={() => {
        focusSoon(`${field.pointer}/${total}`);
        edit({ type: 'insert', path: [...field.path, total], value: field.facts.initial });
      }}
    >
      <Plus size={14} aria-hidden />
      {t('editing.add_item')}
    </button>
  );
}

/** A list, item by item; items of a tuple each by their own schema. */
export function ListField(props: FieldProps): ReactNode {
  const { t } = useText();
  const field = useArgument(props);
  const id = useId();
  const { registry, schema, uiSchema, errorSchema, fieldPathId } = props;
  const items: readonly unknown[] = Array.isArray(props.formData) ? props.formData : [];
  const { itemKeys, setItemKeys } = useItemKeys(items.length);
  const schemas = (Array.isArray(schema.items) ? schema.items : []) as readonly RJSFSchema[];
  const uiSchemas = (uiSchema?.items ?? []) as unknown as readonly UiSchema[];
  const errors = (errorSchema ?? {}) as Readonly<Record<string, ErrorSchema>>;
  const { SchemaField } = registry.fields;
  return (
    <FieldGroup field={field} id={id}>
      {items.length === 0 ? <p className="muted small">{t('editing.empty_list')}</p> : null}
      {items.map((item, index) => (
        <div key={itemKeys[index] ?? index} className="editing-item">
          {SchemaField ? (
            <SchemaField
              {...props}
              name={String(index)}
              schema={schemas[index] ?? {}}
              uiSchema={uiSchemas[index] ?? {}}
              formData={item}
              errorSchema={errors[String(index)] ?? {}}
              rawErrors={[]}
              fieldPathId={toFieldPathId(index, registry.globalFormOptions, fieldPathId)}
            />
          ) : null}
          <ItemButtons
            field={field}
            index={index}
            total={items.length}
            itemKeys={itemKeys}
            setItemKeys={setItemKeys}
          />
        </div>
      ))}
      <FieldErrors id={`${id}-errors`} problems={field.problems} />
      <AddItem key={items.length} field={field} total={items.length} />
    </FieldGroup>
  );
}
