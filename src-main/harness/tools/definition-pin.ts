import { canonicalDigest } from '../validation/canonical-json';
import { definitionOf, type OriginFacts } from './definition-changes';
import type { ToolDescriptor } from './tool';

export type { OriginFacts };

/**
 * Definition pin (C7, S0-56): lower-case hex SHA-256 over the canonical JSON of the whole definition and its origin. Any
 * change of either gives another pin, and an approval of the old one does not hold for it.
 */
export function definitionPin(descriptor: ToolDescriptor, origin: OriginFacts): string {
  return canonicalDigest(definitionOf(descriptor, origin));
}
