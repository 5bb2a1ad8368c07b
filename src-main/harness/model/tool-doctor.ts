import type { JsonSchema, ToolFit } from '../protocol';
import type { Wire } from './provider-config';
import { projectTool } from './schema-projection';
import { createWireNames } from './wire-names';

/** The wire that stands for each family of providers. */
const families: readonly (readonly [ToolFit['family'], Wire])[] = [
  ['anthropic', 'anthropic'],
  ['openai', 'openai-chat'],
  ['google', 'google'],
  ['compatible', 'compatible'],
];

/**
 * How a tool reaches the models of each family of providers (field report 54): as it is, where nothing is named, or in
 * another form. Local validation always uses the author's schema. Pure.
 */
export function diagnoseTool(alias: string, schema: JsonSchema): readonly ToolFit[] {
  return families.map(([family, wire]) => {
    const { adaptations } = projectTool(schema, wire);
    const renamed = createWireNames([alias], wire).toWire(alias) !== alias;
    return { family, adaptations: renamed ? [...adaptations, 'name_shortened'] : adaptations };
  });
}
