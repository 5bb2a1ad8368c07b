import { describe, expect, it } from 'vitest';
import { definitionPin } from './definition-pin';
import type { ToolDescriptor } from './tool';

const descriptor: ToolDescriptor = {
  qualified_name: 'acer.battery',
  title: 'Battery',
  description: 'Reads the battery.',
  input_schema: { type: 'object', properties: { a: { type: 'string' } } },
  output_schema: { type: 'object' },
  annotations: { readOnlyHint: true },
  version: '1',
};
const origin = { kind: 'mcp', transport: 'stdio', program: 'acer', args: ['-x'], env: {}, cwd: '/' };
const pin = definitionPin(descriptor, origin);

describe('definitionPin', () => {
  it('C7 is a SHA-256 that does not depend on the order of members', () => {
    expect(pin).toMatch(/^[0-9a-f]{64}$/);
    const turned = Object.fromEntries(Object.entries(descriptor).reverse()) as unknown as ToolDescriptor;
    expect(definitionPin(turned, origin)).toBe(pin);
  });
  it.each<[string, Partial<ToolDescriptor>]>([
    ['qualified name', { qualified_name: 'acer.battery2' }],
    ['title', { title: 'Accu' }],
    ['description', { description: 'Reads the battery. ' }],
    ['input schema', { input_schema: { type: 'object' } }],
    ['output schema', { output_schema: { type: 'object', title: 'x' } }],
    ['annotations', { annotations: { readOnlyHint: false } }],
  ])('C7 S0-56 a changed %s gives another pin', (_, change) => {
    expect(definitionPin({ ...descriptor, ...change }, origin)).not.toBe(pin);
  });
  it.each<[string, object]>([
    ['program', { program: 'acer2' }],
    ['argument', { args: ['-y'] }],
    ['environment', { env: { A: '1' } }],
    ['working directory', { cwd: '/x' }],
  ])('C7 a changed %s of the origin gives another pin', (_, change) => {
    expect(definitionPin(descriptor, { ...origin, ...change })).not.toBe(pin);
  });
  it('the version of a server alone does not change it', () => {
    expect(definitionPin({ ...descriptor, version: '2' }, origin)).toBe(pin);
  });
});
