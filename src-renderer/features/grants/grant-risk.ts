import type { GrantEntry } from '../../../src-preload/contract';

/** A permission that lets everything happen unasked that a dangerous tool can do. */
export type GrantRisk = 'exec' | 'external';

/**
 * Why a permission deserves a warning, or null. By what the tool counted as when it was given: a permission is bound to
 * that definition. Where that was not recorded, nothing is said.
 */
export function grantRisk({ grant, ended }: GrantEntry): GrantRisk | null {
  if (ended !== null || (grant.pattern ?? []).length > 0) return null;
  const { classification } = grant;
  return classification === 'exec' || classification === 'external' ? classification : null;
}
