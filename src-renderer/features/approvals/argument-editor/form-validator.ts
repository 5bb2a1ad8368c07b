import type { ErrorSchema, RJSFValidationError, ValidationData, ValidatorType } from '@rjsf/utils';
import { isJsonObject, type Json, type JsonSchema } from '../../../../src-preload/contract';
import { createChecker, type Checker, type ValueProblem } from './check-value';
import { stepsOf } from './edit-value';

export type ArgumentValidator = ValidatorType<unknown, JsonSchema, object>;

/** The nested shape in which the form library hands problems down to its fields. */
export function errorSchemaOf(
  problems: readonly { readonly path: string; readonly message: string }[],
): ErrorSchema {
  const root: ErrorSchema = {};
  for (const { path, message } of problems) {
    let at: ErrorSchema = root;
    for (const step of stepsOf(path) ?? []) {
      if (step === '__proto__') break;
      const members = at as Record<string, ErrorSchema>;
      at = Object.hasOwn(members, step) ? (members[step] ?? {}) : (members[step] = {});
    }
    at.__errors = [...(at.__errors ?? []), message];
  }
  return root;
}

function toError(problem: ValueProblem, message: string): RJSFValidationError {
  return {
    name: problem.keyword,
    message,
    params: { wanted: problem.wanted },
    // A pointer, not a dotted path: names may hold dots.
    property: problem.path,
    stack: `${problem.path}: ${message}`,
  };
}

function plain(value: unknown): Json {
  return value === undefined ? {} : (JSON.parse(JSON.stringify(value)) as Json);
}

/** One checker for each schema, as long as the schema is used. */
export function createCheckers(): (schema: JsonSchema) => Checker {
  const checkers = new WeakMap<JsonSchema, Checker>();
  return (schema) => {
    const known = checkers.get(schema) ?? createChecker(schema);
    checkers.set(schema, known);
    return known;
  };
}

/**
 * The form library's validator on an interpreting one, which needs no code made at run time. What it says is advice for
 * the person; the arguments are checked again before the call runs. `property` of an error is a JSON pointer.
 */
export function createFormValidator(deps: {
  readonly checkerOf: (schema: JsonSchema) => Checker;
  readonly words: (problem: ValueProblem) => string;
}): ArgumentValidator {
  const { checkerOf, words } = deps;
  const problemsIn = (schema: JsonSchema, value: unknown): readonly ValueProblem[] =>
    isJsonObject(schema) ? checkerOf(schema).check(plain(value)).problems : [];
  return {
    validateFormData(formData, schema): ValidationData<unknown> {
      const errors = problemsIn(schema, formData).map((problem) => toError(problem, words(problem)));
      const placed = errors.map(({ property = '', message = '' }) => ({ path: property, message }));
      return { errors, errorSchema: errorSchemaOf(placed) };
    },
    isValid: (schema, formData, rootSchema) => checkerOf(rootSchema).fits(schema, plain(formData)),
    rawValidation: <Result>(schema: JsonSchema, formData?: unknown) => ({
      errors: [...problemsIn(schema, formData)] as Result[],
    }),
  };
}
