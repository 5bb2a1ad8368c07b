import type { JsonObject } from '../protocol';
import { canonicalJson, sha256Hex } from '../validation/canonical-json';
import type { ToolDescriptor } from './tool';

/**
 * Where a definition comes from, as the pin covers it (C7): `{ kind: 'native', version }` for a tool of the app;
 * transport with launch command, working directory and environment, or address and headers, for one of a server. Values
 * are as configured, with references to secrets unresolved.
 */
export type OriginFacts = JsonObject & { readonly kind: string };

/**
 * Definition pin (C7, S0-56): lower-case hex SHA-256 over the canonical JSON of the whole definition and its origin. Any
 * change of either gives another pin, and an approval of the old one does not hold for it.
 */
export function definitionPin(descriptor: ToolDescriptor, origin: OriginFacts): string {
  const text = canonicalJson({
    qualified_name: descriptor.qualified_name,
    title: descriptor.title,
    description: descriptor.description,
    input_schema: descriptor.input_schema,
    output_schema: descriptor.output_schema,
    annotations: descriptor.annotations,
    origin,
  });
  return sha256Hex(text);
}
