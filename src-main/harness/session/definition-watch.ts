import type { Journal } from '../journal';
import { isJsonObject, ok, type NewSessionEvent, type Result } from '../protocol';
import { definitionChanges, definitionOf, type Tool } from '../tools';

/** Compares the definitions of a turn's tools with those of the turn before (S0-55, S0-56). */
export interface DefinitionWatch {
  /**
   * Keeps the definitions under their pins and answers an event for each that changed since the session's last turn.
   * `before` gives the pins of that turn by qualified name; it is asked once.
   */
  look(turnId: string, tools: readonly Tool[]): Result<readonly NewSessionEvent[]>;
}

export function createDefinitionWatch(
  journal: Journal,
  before: () => ReadonlyMap<string, string>,
): DefinitionWatch {
  const kept = new Set<string>();
  let pins: Map<string, string> | null = null;
  const changed = (turnId: string, tool: Tool, beforePin: string): NewSessionEvent => {
    const former = journal.definition(beforePin);
    const changes = isJsonObject(former)
      ? definitionChanges(former, definitionOf(tool.descriptor, tool.origin_facts))
      : [];
    const { qualified_name } = tool.descriptor;
    const data = { qualified_name, before_pin: beforePin, after_pin: tool.pin, changes };
    return { turn_id: turnId, type: 'definition_changed', data };
  };
  return {
    look(turnId, tools) {
      pins ??= new Map(before());
      const fresh = tools.filter((tool) => !kept.has(tool.pin));
      if (fresh.length > 0) {
        const stored = journal.putDefinitions(
          fresh.map((tool) => ({
            pin: tool.pin,
            definition: definitionOf(tool.descriptor, tool.origin_facts),
          })),
        );
        if (!stored.ok) return stored;
        for (const tool of fresh) kept.add(tool.pin);
      }
      const events: NewSessionEvent[] = [];
      for (const tool of tools) {
        const { qualified_name } = tool.descriptor;
        const beforePin = pins.get(qualified_name);
        if (beforePin !== undefined && beforePin !== tool.pin) events.push(changed(turnId, tool, beforePin));
        pins.set(qualified_name, tool.pin);
      }
      return ok(events);
    },
  };
}
