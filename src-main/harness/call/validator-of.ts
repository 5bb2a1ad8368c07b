import type { JsonSchema, Result } from '../protocol';
import type { SchemaCompiler, Validator } from '../validation';

/** A definition lives as long as its tool, so its validator is found without hashing the schema for each call. */
const known = new WeakMap<JsonSchema, Result<Validator>>();

/** The validator of a tool's own schema object, compiled once. The object must not change. */
export function validatorOf(schemas: SchemaCompiler, schema: JsonSchema): Result<Validator> {
  const found = known.get(schema);
  if (found) return found;
  const compiled = schemas.compile(schema);
  known.set(schema, compiled);
  return compiled;
}
