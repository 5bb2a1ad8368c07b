import { describe, expect, it } from 'vitest';
import { fail, type ServerTool } from '../../../src-preload/contract';
import { listedTools, noFilter, toolClass, withClass } from './listed-tools';

function tool(local: string, rest: Partial<ServerTool> = {}): ServerTool {
  return {
    qualified_name: `mail.${local}`,
    description: '',
    input_schema: {},
    pin: 'p'.repeat(64),
    classification: 'external',
    classified_by: 'host',
    classified_at: null,
    hints: {},
    fits: [],
    problem: null,
    ...rest,
  };
}

const vetted = (local: string, classification: 'read' | 'write' | 'exec', hints = {}): ServerTool =>
  tool(local, {
    classification,
    classified_by: 'person',
    classified_at: '2026-03-01T00:00:00.000Z',
    hints,
  });

const tools: readonly ServerTool[] = [
  tool('broken', { pin: null, problem: fail('schema_unusable', 'No object.').error }),
  vetted('list', 'read', { readOnlyHint: true }),
  tool('send', { description: 'Sends a LETTER', hints: { readOnlyHint: false } }),
  vetted('run', 'exec', { destructiveHint: true }),
  tool('peek', { title: 'Look inside' }),
];

const found = (change: Partial<typeof noFilter>): string[] =>
  listedTools(tools, { ...noFilter, ...change }).map(({ qualified_name }) => qualified_name.slice(5));

describe('field report 33: the tools of a big server', () => {
  it('stand in the order of the server, those that cannot be used last', () => {
    expect(found({})).toEqual(['list', 'send', 'run', 'peek', 'broken']);
  });

  it('are found by name, title and description', () => {
    expect(found({ text: 'letter' })).toEqual(['send']);
    expect(found({ text: 'Look' })).toEqual(['peek']);
    expect(found({ text: 'mail.r' })).toEqual(['run']);
  });

  it('are found by what they count as', () => {
    expect(found({ class: 'unvetted' })).toEqual(['send', 'peek']);
    expect(found({ class: 'read' })).toEqual(['list']);
    expect(found({ class: 'exec' })).toEqual(['run']);
    expect(found({ class: 'unusable' })).toEqual(['broken']);
  });

  it('are found by what the server says of them', () => {
    expect(found({ hint: 'writes' })).toEqual(['send', 'run']);
    expect(found({ hint: 'reads' })).toEqual(['list']);
    expect(found({ hint: 'silent' })).toEqual(['peek']);
    expect(found({ hint: 'writes', class: 'unvetted' })).toEqual(['send']);
  });

  it('count as what the person says at once, and as unvetted when it is taken back', () => {
    const at = '2026-04-01T00:00:00.000Z';
    const names = new Set(['mail.send', 'mail.broken']);
    const said = withClass(tools, names, 'read', at);
    expect(said.find(({ qualified_name }) => qualified_name === 'mail.send')).toMatchObject({
      classification: 'read',
      classified_by: 'person',
      classified_at: at,
    });
    expect(said[0]).toBe(tools[0]);
    const back = withClass(said, names, null, at);
    expect(back[2] && toolClass(back[2])).toBe('unvetted');
    expect(back[2]).toMatchObject({ classification: 'external', classified_at: null });
  });
});
