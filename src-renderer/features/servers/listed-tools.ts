import type { Classification, ServerTool } from '../../../src-preload/contract';
import { hintKind, type HintKind } from './tool-hints';

/** What a tool counts as for the person: what they said, or that nobody vetted it. */
export type ToolClass = Classification | 'unvetted';

export type ClassFilter = 'all' | 'read' | 'write' | 'exec' | 'unvetted' | 'unusable';

export interface ToolFilter {
  /** Part of the name, the title or the description. */
  readonly text: string;
  readonly class: ClassFilter;
  readonly hint: 'all' | HintKind;
}

export const noFilter: ToolFilter = { text: '', class: 'all', hint: 'all' };

export const isUsable = (tool: ServerTool): boolean => tool.pin !== null && tool.problem === null;

export function toolClass(tool: ServerTool): ToolClass {
  return tool.classified_by === 'host' ? 'unvetted' : tool.classification;
}

function fitsClass(tool: ServerTool, wanted: ClassFilter): boolean {
  if (wanted === 'all') return true;
  if (wanted === 'unusable') return !isUsable(tool);
  return isUsable(tool) && toolClass(tool) === wanted;
}

function fitsText({ qualified_name, title, description }: ServerTool, words: string): boolean {
  return (
    words === '' || `${qualified_name}\n${title ?? ''}\n${description}`.toLocaleLowerCase().includes(words)
  );
}

/** The tools that fit the filter, in the order of the server; those that cannot be used come last. */
export function listedTools(tools: readonly ServerTool[], filter: ToolFilter): readonly ServerTool[] {
  const words = filter.text.trim().toLocaleLowerCase();
  const found = tools.filter(
    (tool) =>
      fitsText(tool, words) &&
      fitsClass(tool, filter.class) &&
      (filter.hint === 'all' || (isUsable(tool) && hintKind(tool.hints) === filter.hint)),
  );
  return [...found.filter(isUsable), ...found.filter((tool) => !isUsable(tool))];
}

/** The list after the person's word on some of its tools, until the server is asked anew. */
export function withClass(
  tools: readonly ServerTool[],
  names: ReadonlySet<string>,
  said: Exclude<Classification, 'external'> | null,
  at: string,
): readonly ServerTool[] {
  return tools.map((tool) => {
    if (!names.has(tool.qualified_name) || !isUsable(tool)) return tool;
    return said === null
      ? { ...tool, classification: 'external', classified_by: 'host', classified_at: null }
      : { ...tool, classification: said, classified_by: 'person', classified_at: at };
  });
}
