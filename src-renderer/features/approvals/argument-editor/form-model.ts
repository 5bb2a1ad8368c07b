import { createSchemaUtils, type RJSFSchema, type UiSchema } from '@rjsf/utils';
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '../../../../src-preload/contract';
import { isPlainPattern } from './checkable-schema';
import { memberOf, pointerOf, sameJson, type Path } from './edit-value';
import type { ArgumentValidator } from './form-validator';
import { choiceText, lineEndsOf, proseFirst } from './leaf-text';
import {
  admits,
  shapeOf,
  spender,
  TooMuchToResolve,
  typesOf,
  type Choice,
  type Resolving,
  type Shape,
} from './resolve-schema';
import { formLimits } from './schema-bounds';
import { isSchema, listOf, mapOf, ownOf, textsOf, type SchemaNode } from './schema-parts';

export type FieldKind =
  'group' | 'list' | 'text' | 'number' | 'flag' | 'choice' | 'json' | 'nothing' | 'absent';

/** What a field of the form has to know besides its value. */
export interface FieldFacts {
  readonly kind: FieldKind;
  readonly title: string | null;
  readonly description: string | null;
  readonly required: boolean;
  /** Whether the person may leave it out: an optional member, or one that the schema does not name. */
  readonly removable: boolean;
  /** False for a member of the value that the schema does not name. */
  readonly known: boolean;
  readonly nullable: boolean;
  readonly choices: readonly Choice[];
  readonly suggestions: readonly string[];
  readonly variants: readonly (string | null)[];
  readonly chosen: number;
  /** What stands there first when the person adds it; of a list, its next item. */
  readonly initial: Json;
  /** Of a group: members that no schema names may be added, and begin so. */
  readonly openInitial: Json | undefined;
}

/** What the form library draws. Its schema holds no default and no constant: nothing fills itself in. */
export interface FormModel {
  readonly schema: RJSFSchema;
  readonly uiSchema: UiSchema;
  /** Pointers of all fields. */
  readonly places: ReadonlySet<string>;
}

/** Beyond this many choices, a field of text suggests them. */
export const mostChoices = 200;

/** Steps of reading the schema for one form; what a form of the largest size needs is far less. */
const mostSteps = 15_000;

interface Building extends Resolving {
  readonly chosen: ReadonlyMap<string, number>;
  /** The place whose field is one for JSON, whatever stands there. */
  readonly pinned: string | null;
  readonly places: Set<string>;
}

interface Place {
  readonly node: SchemaNode;
  readonly value: Json | undefined;
  readonly path: Path;
  readonly required: boolean;
  readonly removable: boolean;
  readonly known: boolean;
}

interface Drawn {
  readonly schema: RJSFSchema;
  readonly uiSchema: UiSchema;
}

const textOr = (schema: JsonObject, keyword: string): string | null => {
  const text = ownOf(schema, keyword);
  return typeof text === 'string' && text.trim() !== '' ? text : null;
};

function choicesOf(shape: Shape, value: Json | undefined): readonly Choice[] {
  const all = [...(shape.choices ?? [])];
  const has = (one: Json): boolean => all.some((choice) => sameJson(choice.value, one));
  if (shape.nullable && !has(null)) all.push({ value: null, title: null });
  // What stands there is among the choices even where the schema does not have it.
  if (value !== undefined && !has(value)) all.push({ value, title: null });
  return all;
}

const isManyTexts = (shape: Shape): boolean =>
  (shape.choices?.length ?? 0) > mostChoices &&
  (shape.choices ?? []).every((choice) => typeof choice.value === 'string' || choice.value === null);

function presentKind(shape: Shape, value: Json): FieldKind {
  if (shape.choices && !isManyTexts(shape)) return shape.choices.length > mostChoices ? 'json' : 'choice';
  if (value === null) return shape.nullable && typesOf(shape.schema).join() !== 'null' ? 'nothing' : 'json';
  if (!admits(shape.schema, value)) return 'json';
  if (Array.isArray(value)) return 'list';
  if (isJsonObject(value)) return 'group';
  if (typeof value === 'string') return lineEndsOf(value) === 'mixed' ? 'json' : 'text';
  return typeof value === 'number' ? 'number' : 'flag';
}

function absentKind(shape: Shape): FieldKind {
  if (shape.choices && shape.choices.length <= mostChoices) return 'choice';
  const types = typesOf(shape.schema).filter((type) => type !== 'null');
  if (types.length !== 1 || shape.choices) return 'absent';
  if (types[0] === 'number' || types[0] === 'integer') return 'number';
  return types[0] === 'boolean' ? 'flag' : 'absent';
}

function kindOf(shape: Shape, value: Json | undefined, pinned: boolean): FieldKind {
  if (value === undefined) return absentKind(shape);
  return pinned ? 'json' : presentKind(shape, value);
}

/** An empty value of the kind that is wanted: a beginning, not a default. */
function initialOf(shape: Shape): Json {
  const [first] = shape.choices ?? [];
  if (first && !isManyTexts(shape)) return first.value;
  switch (typesOf(shape.schema).find((type) => type !== 'null')) {
    case 'object':
      return {};
    case 'array':
      return [];
    case 'number':
    case 'integer':
      return 0;
    case 'boolean':
      return false;
    case 'string':
      return '';
    default:
      return shape.choices ? '' : null;
  }
}

function namelessSchema(schema: JsonObject, name: string): SchemaNode {
  for (const [pattern, node] of mapOf(schema, 'patternProperties')) {
    const plain = name.length <= 1_000 && isPlainPattern(pattern);
    if (plain && isSchema(node) && new RegExp(pattern, 'u').test(name)) return node;
  }
  const rest = ownOf(schema, 'additionalProperties');
  return isSchema(rest) && rest !== false ? rest : true;
}

function itemSchema(schema: JsonObject, index: number): SchemaNode {
  const prefix = listOf(schema, 'prefixItems');
  const items = ownOf(schema, 'items');
  const tuple = Array.isArray(items) ? listOf(schema, 'items') : prefix;
  const rest = Array.isArray(items) ? ownOf(schema, 'additionalItems') : items;
  const own = tuple[index] ?? rest;
  return isSchema(own) && own !== false ? own : true;
}

/** Groups to which members may be added: maps, and objects of which nothing is said. */
function openInitialOf(shape: Shape, building: Building): Json | undefined {
  const rest = ownOf(shape.schema, 'additionalProperties');
  const named = mapOf(shape.schema, 'properties').length > 0;
  if (rest === false || (named && rest === undefined)) return undefined;
  if (!isJsonObject(rest)) return '';
  return initialOf(shapeOf(rest, { value: undefined, wanted: undefined, at: building }));
}

function factsOf(kind: FieldKind, shape: Shape, place: Place, building: Building): FieldFacts {
  const next = kind === 'list' && Array.isArray(place.value) ? place.value.length : null;
  const item = next === null ? null : itemSchema(shape.schema, next);
  return {
    kind,
    title: textOr(shape.schema, 'title'),
    description: textOr(shape.schema, 'description'),
    required: place.required,
    removable: place.removable,
    known: place.known,
    nullable: shape.nullable,
    choices: kind === 'choice' ? choicesOf(shape, place.value) : [],
    suggestions:
      kind === 'text' && isManyTexts(shape) ? (shape.choices ?? []).map((one) => choiceText(one.value)) : [],
    variants: shape.variants.map((variant) => variant.title),
    chosen: shape.chosen,
    initial: initialOf(
      item === null ? shape : shapeOf(item, { value: undefined, wanted: undefined, at: building }),
    ),
    openInitial: kind === 'group' ? openInitialOf(shape, building) : undefined,
  };
}

function drawGroup(shape: Shape, value: JsonObject, path: Path, building: Building): Drawn {
  const named = new Map(mapOf(shape.schema, 'properties'));
  const required = new Set(textsOf(shape.schema, 'required'));
  const names = [...new Set([...named.keys(), ...required, ...Object.keys(value)])];
  const drawn = proseFirst(names).flatMap((name) => {
    const node = named.get(name);
    const known = node !== undefined && isSchema(node);
    const member = memberOf(value, name);
    if (node === false && member === undefined) return [];
    const field = draw(building, {
      node: known ? node : namelessSchema(shape.schema, name),
      value: member,
      path: [...path, name],
      required: required.has(name),
      removable: !required.has(name),
      known: known || required.has(name) || isJsonObject(ownOf(shape.schema, 'additionalProperties')),
    });
    return [[name, field] as const];
  });
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(drawn.map(([name, one]) => [name, one.schema])),
    },
    uiSchema: Object.fromEntries(drawn.map(([name, one]) => [name, one.uiSchema])),
  };
}

function drawList(shape: Shape, value: readonly Json[], path: Path, building: Building): Drawn {
  const items = value.map((item, index) =>
    draw(building, {
      node: itemSchema(shape.schema, index),
      value: item,
      path: [...path, index],
      required: true,
      removable: false,
      known: true,
    }),
  );
  return {
    schema: { type: 'array', items: items.map((item) => item.schema) },
    uiSchema: { items: items.map((item) => item.uiSchema) as never },
  };
}

/** A schema without any keyword that the form library acts on; an empty one it would not draw. */
const leaf: RJSFSchema = { title: 'leaf' };
const typed: Partial<Record<FieldKind, RJSFSchema>> = {
  text: { type: 'string' },
  number: { type: 'number' },
  flag: { type: 'boolean' },
};

function draw(building: Building, place: Place): Drawn {
  const { value, path } = place;
  const pointer = pointerOf(path);
  building.places.add(pointer);
  if (building.places.size > formLimits.fields) throw new TooMuchToResolve();
  const shape = shapeOf(place.node, { value, wanted: building.chosen.get(pointer), at: building });
  const root = path.length === 0;
  const kind = root ? 'group' : kindOf(shape, value, building.pinned === pointer);
  const options = { 'ui:options': { argument: factsOf(kind, shape, place, building) } };
  if (kind === 'group' && isJsonObject(value)) {
    const group = drawGroup(shape, value, path, building);
    return { schema: group.schema, uiSchema: { ...group.uiSchema, ...options } };
  }
  if (kind === 'list' && Array.isArray(value)) {
    const list = drawList(shape, value as readonly Json[], path, building);
    return { schema: list.schema, uiSchema: { ...list.uiSchema, 'ui:field': kind, ...options } };
  }
  const schema = value === undefined ? leaf : (typed[kind] ?? leaf);
  return { schema, uiSchema: { 'ui:field': kind, ...options } };
}

/**
 * The form for one value: every member of it has a field of a kind that can hold it as it is, whatever the schema says;
 * members that are not there have one that adds them. `null`: there would be too many fields.
 */
export function formModel(
  schema: JsonSchema,
  value: JsonObject,
  given: Pick<Building, 'fits' | 'chosen' | 'pinned'>,
): FormModel | null {
  const building: Building = { root: schema, ...given, spend: spender(mostSteps), places: new Set() };
  try {
    const place = { node: schema, value, path: [], required: true, removable: false, known: true };
    return { ...draw(building, place), places: building.places };
  } catch (error) {
    if (error instanceof TooMuchToResolve) return null;
    throw error;
  }
}

/** No default, constant or empty object is put into a value. */
export const nothingFilledIn = {
  allOf: 'skipDefaults',
  arrayMinItems: { populate: 'never' },
  constAsDefaults: 'never',
  emptyObjectFields: 'skipDefaults',
  mergeDefaultsIntoFormData: 'useFormDataIfPresent',
} as const;

/** Whether the form library, given this form and this value, holds exactly this value. */
export function isFaithful(model: FormModel, value: JsonObject, validator: ArgumentValidator): boolean {
  const utils = createSchemaUtils(validator as never, model.schema, nothingFilledIn);
  return sameJson(utils.getDefaultFormState(model.schema, value) as Json, value);
}
