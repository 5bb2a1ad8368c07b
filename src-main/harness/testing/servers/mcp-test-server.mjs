// A well-behaved MCP server over stdio, written with the 1.x SDK: echo, add, slow, image, fail, env.
// With MCP_WITNESS=FILE it appends one line for its start and for each call that reaches it.
import { appendFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

setTimeout(() => process.exit(0), 120_000).unref();
const witness = (line) => {
  if (process.env.MCP_WITNESS) appendFileSync(process.env.MCP_WITNESS, `${line}\n`);
};
witness(`start ${process.pid}`);

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const server = new McpServer({ name: 'mcp-test-server', version: '1.2.3' });

server.registerTool(
  'echo',
  {
    description: 'Answers its message.',
    inputSchema: { message: z.string() },
    annotations: { readOnlyHint: true },
  },
  ({ message }) => {
    witness(`echo ${message}`);
    return { content: [{ type: 'text', text: `Echo: ${message}` }] };
  },
);
server.registerTool(
  'add',
  {
    title: 'Add',
    description: 'Adds two numbers.',
    inputSchema: { a: z.number(), b: z.number() },
    outputSchema: { sum: z.number() },
  },
  ({ a, b }) => ({
    content: [{ type: 'text', text: JSON.stringify({ sum: a + b }) }],
    structuredContent: { sum: a + b },
  }),
);
server.registerTool(
  'slow',
  {
    description: 'Works for steps * step_ms milliseconds and reports each step.',
    inputSchema: { steps: z.number().int(), step_ms: z.number() },
  },
  async ({ steps, step_ms: stepMs }, { signal, sendNotification, _meta }) => {
    for (let step = 1; step <= steps; step += 1) {
      await new Promise((resolve) => setTimeout(resolve, stepMs));
      if (signal.aborted) {
        witness('slow cancelled');
        throw new Error('cancelled');
      }
      if (_meta?.progressToken !== undefined) {
        await sendNotification({
          method: 'notifications/progress',
          params: {
            progressToken: _meta.progressToken,
            progress: step,
            total: steps,
            message: `step ${step}`,
          },
        });
      }
    }
    witness('slow done');
    return { content: [{ type: 'text', text: 'slept' }] };
  },
);
server.registerTool('image', { description: 'Answers a picture of one pixel.' }, () => ({
  content: [
    { type: 'text', text: `Here: ${pixel}` },
    { type: 'image', mimeType: 'image/png', data: pixel },
    { type: 'resource_link', uri: 'file:///a.txt', name: 'a.txt' },
  ],
}));
server.registerTool('fail', { description: 'Always fails.' }, () => ({
  isError: true,
  content: [{ type: 'text', text: 'The disk is on fire.' }],
}));
server.registerTool('env', { description: 'Answers its environment.' }, () => ({
  content: [
    {
      type: 'text',
      text: JSON.stringify({
        env: process.env,
        args: process.argv.slice(2),
        cwd: process.cwd(),
        token_length: process.env.TOKEN?.length,
      }),
    },
  ],
}));

await server.connect(new StdioServerTransport());
