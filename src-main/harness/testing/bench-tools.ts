import { textOf, type BenchTool } from './session-bench';

/** What `write` was called with; empty it at the start of a test. */
export const ran: string[] = [];

/** Answers `what` that it is asked for; runs without a question. */
export const read: BenchTool = {
  name: 'test.read',
  classification: 'read',
  call: (_context, args) => Promise.resolve({ structured: { got: textOf(args, 'what') } }),
};

/** Notes `what` in `ran`; a person is asked before it runs. */
export const write: BenchTool = {
  name: 'test.write',
  classification: 'write',
  input_schema: {
    type: 'object',
    properties: { what: { type: 'string' } },
    required: ['what'],
    additionalProperties: false,
  },
  call: (_context, args) => {
    ran.push(textOf(args, 'what'));
    return Promise.resolve({ text: `wrote ${textOf(args, 'what')}` });
  },
};
