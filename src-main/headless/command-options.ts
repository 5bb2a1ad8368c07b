/** The options of the command line, for `parseArgs`. */
export const options = {
  bundle: { type: 'string' },
  servers: { type: 'string' },
  guardrails: { type: 'string' },
  workspace: { type: 'string' },
  model: { type: 'string' },
  'base-url': { type: 'string' },
  'api-key-env': { type: 'string' },
  approve: { type: 'string' },
  data: { type: 'string' },
  allow: { type: 'string' },
  deny: { type: 'boolean' },
  note: { type: 'string' },
  arguments: { type: 'string' },
  shown: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

type Options = typeof options;

export type Values = {
  readonly [K in keyof Options]?: Options[K]['type'] extends 'boolean' ? boolean : string;
};

const reading = ['data', 'json'];
const going = ['bundle', 'servers', 'guardrails', 'base-url', 'api-key-env', 'data', 'json'];

/** What each command takes. */
export const optionsOf: Readonly<Record<string, readonly string[]>> = {
  run: [...going, 'workspace', 'model', 'approve'],
  'bundle check': ['servers', 'json'],
  'sessions list': reading,
  'sessions show': reading,
  'sessions resume': [...going, 'approve'],
  'approvals list': reading,
  'approvals show': reading,
  'approvals answer': [...going, 'allow', 'deny', 'note', 'arguments', 'shown'],
  'grants list': reading,
  'grants revoke': reading,
};
