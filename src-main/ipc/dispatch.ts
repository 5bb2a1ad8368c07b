import {
  commandSchemas,
  querySchemas,
  type CommandName,
  type CommandPayload,
  type CommandResult,
  type QueryName,
  type QueryPayload,
  type QueryResult,
} from '../../src-preload/contract';
import {
  createSchemaCompiler,
  fail,
  failure,
  type Failure,
  type JsonSchema,
  type Result,
  isBoundedJson,
} from '../harness';

export type CommandHandlers = {
  readonly [N in CommandName]: (payload: CommandPayload<N>) => CommandResult<N> | Promise<CommandResult<N>>;
};
export type QueryHandlers = {
  readonly [N in QueryName]: (payload: QueryPayload<N>) => QueryResult<N> | Promise<QueryResult<N>>;
};

type Handler = (payload: never) => unknown;

/** Takes whatever a page sent: a name and a payload of any shape. */
export type Dispatch = (name: unknown, payload: unknown) => Promise<Result<unknown>>;

function internal(name: string, error: unknown): Failure {
  const detail = error instanceof Error ? error.message : String(error);
  return failure(
    'internal',
    `"${name}" failed inside the app (${detail}). Nothing else was changed; please report this.`,
  );
}

/**
 * Checks name and payload against the contract before a handler sees them, and turns every end into a result: no
 * exception and no stack trace crosses the bridge (hazard 44).
 */
export function createDispatch(
  schemas: Readonly<Record<string, unknown>>,
  handlers: Readonly<Record<string, Handler>>,
): Dispatch {
  const compiler = createSchemaCompiler();
  return async (name, payload) => {
    if (typeof name !== 'string' || !Object.hasOwn(schemas, name) || !Object.hasOwn(handlers, name)) {
      return fail(
        'invalid_input',
        'The window sent a request that the app does not know. Reload the window.',
      );
    }
    if (!isBoundedJson(payload)) {
      return fail('invalid_input', `The window sent "${name}" with more, or other, data than it may hold.`);
    }
    const validator = compiler.compile(schemas[name] as JsonSchema);
    if (!validator.ok) return validator;
    const checked = validator.value.check(payload);
    if (!checked.ok)
      return fail('invalid_input', `The window sent "${name}" in a wrong form: ${checked.error.message}`);
    try {
      return (await (handlers[name] as (payload: unknown) => unknown)(payload)) as Result<unknown>;
    } catch (error) {
      return { ok: false, error: internal(name, error) };
    }
  };
}

export function createCommandDispatch(handlers: CommandHandlers): Dispatch {
  return createDispatch(commandSchemas, handlers as unknown as Readonly<Record<string, Handler>>);
}

export function createQueryDispatch(handlers: QueryHandlers): Dispatch {
  return createDispatch(querySchemas, handlers as unknown as Readonly<Record<string, Handler>>);
}
