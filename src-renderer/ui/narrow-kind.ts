import type { ArgumentCondition, ArgumentPattern } from '../../src-preload/contract';

/** How a pattern narrows a permission, in one word; `any` where it does not. */
export type NarrowKind = 'any' | ArgumentCondition['type'] | 'mixed';

export function narrowKind(pattern: ArgumentPattern): NarrowKind {
  const [first] = pattern;
  if (!first) return 'any';
  return pattern.every(({ type }) => type === first.type) ? first.type : 'mixed';
}

/** The name of the argument that a JSON Pointer leads to, readable; empty for all arguments at once. */
export function argumentName(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join(' › ');
}

/** Whether two patterns say the same, whatever the order of their conditions. */
export function samePattern(a: ArgumentPattern, b: ArgumentPattern): boolean {
  const words = (pattern: ArgumentPattern): string =>
    pattern
      .map((one) => JSON.stringify(one))
      .sort()
      .join();
  return words(a) === words(b);
}
