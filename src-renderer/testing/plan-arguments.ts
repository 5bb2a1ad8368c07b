import type { JsonObject, JsonSchema } from '../../src-preload/contract';
import { planForm } from '../features/approvals/argument-editor/form-plan';
import { createCheckers, createFormValidator } from '../features/approvals/argument-editor/form-validator';

export const validator = createFormValidator({ checkerOf: createCheckers(), words: (one) => one.keyword });
export type PlanGiven = Omit<Parameters<typeof planForm>[0], 'schema' | 'value'>;
const nothing: PlanGiven = { chosen: new Map(), pinned: null, formFailed: false, validator };
/** The plan of a form that nobody has touched yet, unless more is given. */
export const plan = (schema: JsonSchema, value: JsonObject, more: Partial<PlanGiven> = {}) =>
  planForm({ schema, value, ...nothing, ...more });
