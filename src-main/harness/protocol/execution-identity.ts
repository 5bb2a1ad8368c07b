/** The parts that an execution identity covers (S0-57). */
export type IdentityPart = 'bundle' | 'policies' | 'registry' | 'native' | 'app';

/**
 * What runs in a session: lower-case hex SHA-256 of each part and over all of them. `native` is null where the bundle's
 * version of tools.json knows no native tools (S0-60).
 */
export interface ExecutionIdentity {
  readonly digest: string;
  readonly parts: Readonly<Record<IdentityPart, string | null>>;
}

/** The parts that differ; empty when the identities are the same. */
export function identityChanges(
  before: ExecutionIdentity,
  after: ExecutionIdentity,
): readonly IdentityPart[] {
  const parts: readonly IdentityPart[] = ['bundle', 'policies', 'registry', 'native', 'app'];
  return parts.filter((part) => before.parts[part] !== after.parts[part]);
}
