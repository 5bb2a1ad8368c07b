import { createApprovalDesk, type ApprovalDesk, type StandingAnswer, type StandingGrant } from '../approvals';
import { prepareCall, runCall, type CallDeps, type CallEnd, type CallPlan, type PreparedCall } from '../call';
import { createGuardrails, type Guardrails } from '../guardrails';
import { createImageStore, type ImageStore } from '../images';
import {
  fail,
  type JsonObject,
  type Mode,
  type NewSessionEvent,
  type ProposedCall,
  type SessionEventData,
  type Signal,
} from '../protocol';
import { presentCallbackTool, type CallbackDefinition, type RegistrationOptions, type Tool } from '../tools';
import { createSchemaCompiler } from '../validation';

export interface CallBenchOptions {
  readonly guardrails?: Guardrails;
  readonly standing?: StandingAnswer;
  readonly mode?: Mode;
  readonly grants?: readonly StandingGrant[];
  /** The number of records after which the disk is full. */
  readonly full_after?: number;
}

/** The call boundary alone: real desk, guardrails, images and schemas; records go into a list. */
export interface CallBench {
  readonly deps: CallDeps;
  readonly desk: ApprovalDesk;
  readonly images: ImageStore;
  /** Each is one transaction. */
  readonly records: readonly (readonly NewSessionEvent[])[];
  readonly signals: readonly Signal[];
  readonly logged: readonly string[];
  prepare(tool: Tool | null, proposed: ProposedCall, signal?: AbortSignal): Promise<PreparedCall>;
  /** Prepares and runs a call. */
  call(
    tool: Tool | null,
    proposed: ProposedCall,
    plan?: Partial<CallPlan>,
    signal?: AbortSignal,
  ): Promise<CallEnd>;
  /** The data of the one event of this type; throws when there is none or more. */
  one<T extends keyof SessionEventData>(type: T): SessionEventData[T];
  types(): string[][];
}

export function proposal(
  tool: Pick<Tool, 'descriptor' | 'model_alias'>,
  args: JsonObject = {},
): ProposedCall {
  return {
    call_id: 'c1',
    name: tool.model_alias,
    qualified_name: tool.descriptor.qualified_name,
    arguments: args,
  };
}

/** A callback `app.NAME` that takes any object; `read` unless the options say otherwise. */
export function callbackTool(
  execute: CallbackDefinition['execute'],
  options: RegistrationOptions = { classification: 'read' },
  more: Partial<CallbackDefinition> = {},
): Tool {
  return presentCallbackTool(
    {
      namespace: 'app',
      name: 'show',
      description: 'Shows.',
      inputSchema: { type: 'object' },
      ...more,
      execute,
    },
    options,
  );
}

export function callBench(options: CallBenchOptions = {}): CallBench {
  const records: (readonly NewSessionEvent[])[] = [];
  const signals: Signal[] = [];
  const logged: string[] = [];
  const desk = createApprovalDesk();
  const images = createImageStore({ clock: () => performance.now(), newId: () => 'image_1' });
  let next = 0;
  const deps: CallDeps = {
    record(events) {
      if (records.length >= (options.full_after ?? Infinity))
        return fail('journal_full', 'The disk is full.');
      // What is recorded is text from then on.
      records.push(JSON.parse(JSON.stringify(events)) as readonly NewSessionEvent[]);
      return { ok: true, value: [] };
    },
    gather: (events) => Promise.resolve(deps.record(events)),
    emit: (signal) => void signals.push(signal),
    desk,
    standing: options.standing ?? 'ask',
    schemas: createSchemaCompiler(),
    grants: () => options.grants ?? [],
    ledger: { make: () => ({ ok: true, value: null }), used: () => undefined },
    classified: ({ classification }) => ({ classification, by: 'host', at: null }),
    mode: () => ({ mode: options.mode ?? 'ask', at: null }),
    identity: null,
    command: () => null,
    realPath: (path) => path,
    expiryMs: () => null,
    wallClock: () => Date.now(),
    clock: () => performance.now(),
    newId: (kind) => `${kind}_${(next += 1)}`,
    guardrails: options.guardrails ?? createGuardrails({ guardrails: [], selections: [] }),
    images,
    log: (line) => void logged.push(line),
  };
  const never = new AbortController().signal;
  const bench: CallBench = {
    deps,
    desk,
    images,
    records,
    signals,
    logged,
    prepare: (tool, proposed, signal = never) => prepareCall(deps, proposed, tool, signal),
    async call(tool, proposed, plan = {}, signal = never) {
      const prepared = plan.prepared ?? (await bench.prepare(tool, proposed, signal));
      const whole: CallPlan = {
        session_id: 's',
        turn_id: 't',
        coworker_id: 'c',
        workspace: null,
        tool,
        aliases: tool ? [tool.model_alias] : [],
        pending: null,
        rerun: null,
        ...plan,
        prepared,
      };
      return runCall(deps, whole, signal);
    },
    one(type) {
      const found = records.flat().filter((event) => event.type === type);
      if (found.length !== 1) throw new Error(`There are ${found.length} events of type ${type}.`);
      return found[0]?.data as never;
    },
    types: () => records.map((events) => events.map((event) => event.type)),
  };
  return bench;
}
