import type { ModelFailure } from '../model';
import type { Tool } from '../tools';

/** Tools are numbered from zero in the words of providers: `tools[3]`, `tools.3.custom`, `tools/3`. */
const byNumber = /\btools(?:\[|\.|\/)(\d{1,4})\b/g;

function isWord(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const [before = '', after = ''] = [text[at - 1], text[at + name.length]];
    if (!/[\w-]/.test(before) && !/[\w-]/.test(after)) return true;
  }
  return false;
}

/**
 * The one tool that a provider's refusal of a whole request speaks of (field report 55), by name or by number; null where
 * it speaks of none, or of several. Wire names that were shortened are not recognised by name.
 */
export function refusedTool(error: ModelFailure, tools: readonly Tool[]): Tool | null {
  if (error.code !== 'model_refused_request' || error.data?.['status'] !== 400) return null;
  const named = tools.filter((tool) => isWord(error.message, tool.model_alias));
  const numbered = [...error.message.matchAll(byNumber)].flatMap(([, number]) => {
    const tool = tools[Number(number)];
    return tool ? [tool] : [];
  });
  const [only, ...others] = new Set([...named, ...numbered]);
  return only && others.length === 0 ? only : null;
}
