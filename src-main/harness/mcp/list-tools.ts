import type { Client } from '@modelcontextprotocol/client';
import { isJsonObject } from '../protocol';
import { anyResult, unwrapListedTool } from './raw-results';

/** The raw entries of a catalog, unchecked, and what was odd about the list. */
export interface ToolList {
  readonly tools: readonly unknown[];
  readonly notes: readonly string[];
}

const maxPages = 100;
const maxTools = 2_000;

/**
 * Lists every page of a server's tools afresh (S0-55). A cursor that comes again ends the list, and so does the cap.
 * @throws errors of the client
 */
export async function listTools(
  client: Client,
  options: { signal: AbortSignal; timeoutMs: number },
): Promise<ToolList> {
  if (!client.getServerCapabilities()?.tools) return { tools: [], notes: ['The server offers no tools.'] };
  const tools: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 1; ; page += 1) {
    const answer = await client.request(
      { method: 'tools/list', ...(cursor === undefined ? {} : { params: { cursor } }) },
      anyResult,
      { signal: options.signal, timeout: options.timeoutMs },
    );
    if (!isJsonObject(answer) || !Array.isArray(answer['tools'])) {
      throw new Error('the answer to tools/list holds no list of tools');
    }
    tools.push(...(answer['tools'] as unknown[]).map(unwrapListedTool));
    const next: unknown = answer['nextCursor'];
    const more = typeof next === 'string' && next !== '';
    if (tools.length > maxTools || (more && (page >= maxPages || tools.length >= maxTools))) {
      const kept = tools.slice(0, maxTools);
      return {
        tools: kept,
        notes: [`The list of tools was cut after ${kept.length} tools on ${page} pages.`],
      };
    }
    if (!more) return { tools, notes: [] };
    if (seen.has(next))
      return { tools, notes: ['The list of tools came back to a page that was read already.'] };
    seen.add(next);
    cursor = next;
  }
}
