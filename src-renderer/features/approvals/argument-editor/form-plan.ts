import type { JsonObject, JsonSchema } from '../../../../src-preload/contract';
import { formModel, isFaithful, type FormModel } from './form-model';
import type { ArgumentValidator } from './form-validator';
import { refuseForm, type FormRefusal } from './schema-bounds';

export type FormPlan =
  { readonly ok: true; readonly model: FormModel } | { readonly ok: false; readonly refusal: FormRefusal };

const refused = (refusal: FormRefusal): FormPlan => ({ ok: false, refusal });

/**
 * The form for a value, or why there is none. A form that the form library would fill in, or of which it would drop or
 * reorder anything, is none. Never throws.
 */
export function planForm(given: {
  readonly schema: JsonSchema;
  readonly value: JsonObject;
  readonly chosen: ReadonlyMap<string, number>;
  readonly pinned: string | null;
  readonly formFailed: boolean;
  readonly validator: ArgumentValidator;
}): FormPlan {
  const { schema, value, validator } = given;
  if (given.formFailed) return refused('form_failed');
  const refusal = refuseForm(schema, value);
  if (refusal) return refused(refusal);
  try {
    const model = formModel(schema, value, {
      fits: (part, member) => validator.isValid(part as JsonSchema, member, schema),
      chosen: given.chosen,
      pinned: given.pinned,
    });
    if (!model) return refused('too_many_fields');
    return isFaithful(model, value, validator) ? { ok: true, model } : refused('form_failed');
  } catch {
    return refused('form_failed');
  }
}
