import { describe, expect, it } from 'vitest';
import { diagnoseTool } from './tool-doctor';

const fits = (alias: string, schema: Parameters<typeof diagnoseTool>[1]) =>
  Object.fromEntries(diagnoseTool(alias, schema).map(({ family, adaptations }) => [family, adaptations]));

describe('the tool doctor', () => {
  it('field report 54: says nothing of a tool that every model gets as it is', () => {
    expect(fits('acer__fan', { type: 'object', properties: { speed: { type: 'number' } } })).toEqual({
      anthropic: [],
      openai: [],
      google: [],
      compatible: [],
    });
  });

  it('field reports 50, 53, 58, 59: names each change, for the family that needs it', () => {
    const schema = {
      type: 'object',
      anyOf: [{ properties: { a: { $ref: '#/$defs/A' } } }],
      $defs: { A: { type: 'string', format: 'uri' } },
    };
    expect(fits(`acer__${'x'.repeat(80)}`, schema)).toEqual({
      anthropic: ['root_joined', 'name_shortened'],
      openai: ['root_joined', 'name_shortened'],
      google: ['root_joined', 'references_inlined', 'words_dropped', 'name_shortened'],
      compatible: ['root_joined', 'references_inlined', 'name_shortened'],
    });
    expect(fits('acer__say', { type: 'string' })).toMatchObject({ openai: ['root_opened'] });
  });
});
