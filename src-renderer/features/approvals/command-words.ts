import type { CommandSegment } from '../../../src-preload/contract';

/** A segment in the parts that a person reads: what it goes through, the program, and its words. */
export interface SegmentParts {
  readonly program: string | null;
  readonly words: readonly string[];
  readonly settings: readonly string[];
  readonly via: readonly string[];
  readonly redirections: readonly {
    readonly kind: 'write' | 'append' | 'read' | 'merge' | 'other';
    readonly operator: string;
    readonly target: string;
  }[];
}

const kinds: Readonly<Record<string, SegmentParts['redirections'][number]['kind']>> = {
  '>': 'write',
  '1>': 'write',
  '>|': 'write',
  '&>': 'write',
  '>>': 'append',
  '1>>': 'append',
  '&>>': 'append',
  '<': 'read',
  '0<': 'read',
};

function redirectionKind(operator: string, target: string): SegmentParts['redirections'][number]['kind'] {
  if (`${operator}${target}` === '2>&1') return 'merge';
  return (Object.hasOwn(kinds, operator) ? kinds[operator] : undefined) ?? 'other';
}

export function segmentParts(segment: CommandSegment): SegmentParts {
  const [program, ...words] = segment.words;
  return {
    program: program ?? null,
    words,
    settings: segment.assignments.map(({ name, value }) => `${name}=${value}`),
    via: segment.via,
    redirections: segment.redirections.map(({ operator, target }) => ({
      kind: redirectionKind(operator, target),
      operator,
      target,
    })),
  };
}

/** A text in three: before the marked place, the place, and what follows. */
export function markedPlace(
  text: string,
  [from, to]: readonly [number, number],
): readonly [string, string, string] {
  const start = Math.min(Math.max(0, from), text.length);
  const end = Math.min(Math.max(start, to), text.length);
  return [text.slice(0, start), text.slice(start, end), text.slice(end)];
}
