// The package's front door also loads its test support, which needs a validator that is not installed.
import Form from '@rjsf/core/lib/components/Form.js';
import type { ErrorSchema, FieldProps } from '@rjsf/utils';
import { useMemo, type ComponentType, type ReactNode } from 'react';
import type { JsonObject } from '../../../../src-preload/contract';
import { FormBoundary } from './form-boundary';
import type { DraftProblem } from './editor-state';
import { useFocusOf } from './field-frame';
import { nothingFilledIn, type FieldKind, type FormModel } from './form-model';
import { MembersTemplate, PlaceTemplate } from './form-templates';
import { errorSchemaOf, type ArgumentValidator } from './form-validator';
import { AbsentField, ChoiceField, JsonField, NothingField, NumberField, TextField } from './leaf-fields';
import { ListField } from './list-field';

const fields: Readonly<Record<Exclude<FieldKind, 'group'>, ComponentType<FieldProps>>> = {
  list: ListField,
  text: TextField,
  number: NumberField,
  flag: ChoiceField,
  choice: ChoiceField,
  json: JsonField,
  nothing: NothingField,
  absent: AbsentField,
};
const templates = { FieldTemplate: PlaceTemplate, ObjectFieldTemplate: MembersTemplate };

/** Each problem at the nearest field that is drawn: what stands inside a field of JSON is said at that field. */
export function placedProblems(
  problems: readonly DraftProblem[],
  places: ReadonlySet<string>,
): readonly DraftProblem[] {
  return problems.map(({ path, message }) => {
    let place = path;
    while (place !== '' && !places.has(place)) place = place.slice(0, place.lastIndexOf('/'));
    return { path: place, message };
  });
}

/**
 * The arguments as a form. The form library draws it and never writes: its own changes are not listened to, fields
 * change the draft through the editing context.
 */
export function FormView(props: {
  readonly model: FormModel;
  readonly value: JsonObject;
  readonly problems: readonly DraftProblem[];
  readonly validator: ArgumentValidator;
  readonly onFailure: () => void;
}): ReactNode {
  const { model, problems } = props;
  const extraErrors = useMemo(
    () => errorSchemaOf(placedProblems(problems, model.places)) as ErrorSchema<unknown>,
    [problems, model.places],
  );
  const top = useFocusOf<HTMLDivElement>('#form');
  return (
    <FormBoundary onFailure={props.onFailure}>
      <div ref={top} tabIndex={-1} className="editing-form">
        <Form
          tagName="div"
          schema={model.schema}
          uiSchema={model.uiSchema}
          formData={props.value}
          validator={props.validator as never}
          extraErrors={extraErrors}
          fields={fields}
          templates={templates}
          experimental_defaultFormStateBehavior={nothingFilledIn}
          showErrorList={false}
          noHtml5Validate
        >
          <></>
        </Form>
      </div>
    </FormBoundary>
  );
}
