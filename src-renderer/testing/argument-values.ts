import fc from 'fast-check';
import type { Json, JsonObject } from '../../src-preload/contract';

/** Names, values and schemas of arguments as odd as a stranger's tool may have them. */

export const names = fc.oneof(
  fc.constantFrom(
    'to',
    'a',
    'b',
    'items',
    'properties',
    'type',
    '$ref',
    '$id',
    'enum',
    'required',
    'default',
    'if',
  ),
  fc.constantFrom(
    'oneOf',
    'toString',
    'constructor',
    'length',
    '0',
    '',
    ' ',
    'a.b',
    'x/y',
    'definitions',
    'const',
  ),
  fc.string({ maxLength: 4 }),
);
const scalars = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'é', '\n', '\r\n', '\r', '\u202e', '\u0000', '👩'), maxLength: 6 }),
  fc.constantFrom(null, true, false, 0, 1.5, 12345678901234567000, 1e300, -1, ''),
);
export const values: fc.Arbitrary<Json> = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalars,
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(names, tie('any'), { maxKeys: 3 }),
  ),
})).any as fc.Arbitrary<Json>;
export const schemas: fc.Arbitrary<Json> = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    fc.boolean(),
    fc.record(
      {
        type: fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'object', 'array', [
          'string',
          'null',
        ]),
        default: values,
        const: values,
        enum: fc.array(values, { maxLength: 3 }),
        properties: fc.dictionary(names, tie('node'), { maxKeys: 3 }),
        required: fc.array(names, { maxLength: 2 }),
        items: fc.oneof(tie('node'), fc.array(tie('node'), { maxLength: 2 })),
        prefixItems: fc.array(tie('node'), { maxLength: 2 }),
        minItems: fc.nat(3),
        additionalProperties: tie('node'),
        anyOf: fc.array(tie('node'), { maxLength: 2 }),
        oneOf: fc.array(tie('node'), { maxLength: 2 }),
        allOf: fc.array(tie('node'), { maxLength: 2 }),
        if: tie('node'),
        then: tie('node'),
        $ref: fc.constantFrom('#', '#/properties/a', '#/nowhere'),
        dependentSchemas: fc.dictionary(names, tie('node'), { maxKeys: 1 }),
        format: fc.constantFrom('email', 'date', 'data-url'),
        readOnly: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  ),
})).node as fc.Arbitrary<Json>;
export const objects = fc.dictionary(names, values, { maxKeys: 4 }) as fc.Arbitrary<JsonObject>;
