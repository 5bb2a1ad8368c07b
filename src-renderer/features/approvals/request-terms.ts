import type {
  ApprovalRequested,
  ArgumentPattern,
  GrantEntry,
  GrantScope,
  LastingScope,
  RequestReading,
  ScopePreview,
} from '../../../src-preload/contract';
import type { GrantEnd, RequestDraft } from '../../state/ui-store';
import { samePattern } from '../../ui/narrow-kind';

/** What an answer would allow, as it is set now. */
export interface RequestTerms {
  readonly scope: GrantScope;
  /** What a lasting permission is narrowed to; empty: not at all. Null while nothing is chosen. */
  readonly pattern: ArgumentPattern | null;
  /** What can be chosen, the narrowest first, any arguments last. */
  readonly options: readonly ArgumentPattern[];
  /** The permission that stood on the former definition of the tool, where this request is about that. */
  readonly former: GrantEntry | null;
  /** Why nothing but this one call can be allowed. */
  readonly only_once: 'edited' | 'uninspectable' | null;
  /** Set where everything that the tool can do would run unasked. */
  readonly warning: NonNullable<ScopePreview['warning']> | null;
  /** What the person has to do before a lasting permission can be given. */
  readonly missing: 'choose' | 'accept' | 'end' | null;
}

const anyArguments: ArgumentPattern = [];
const dayMillis = 24 * 60 * 60 * 1000;
const days: Readonly<Record<Exclude<GrantEnd, 'none' | 'own'>, number>> = { day: 1, week: 7, month: 30 };

/** Suggestions come with the narrowest last; it is read first. */
export function patternOptions(
  suggestions: readonly ArgumentPattern[],
  former: ArgumentPattern | null,
): readonly ArgumentPattern[] {
  const found = [...suggestions].reverse();
  const all = former ? [former, ...found] : found;
  return [...all, anyArguments].filter(
    (pattern, index, list) => list.findIndex((other) => samePattern(other, pattern)) === index,
  );
}

const runsUnasked = { exec: 'exec_without_pattern', external: 'external_without_pattern' } as const;

export function warningOf(
  classification: ApprovalRequested['classification'],
  pattern: ArgumentPattern | null,
): RequestTerms['warning'] {
  if (pattern === null || pattern.length > 0) return null;
  return classification === 'exec' || classification === 'external' ? runsUnasked[classification] : null;
}

/** The mark of a noted warning: another scope or pattern has to be noted anew. */
export const acceptanceOf = (scope: LastingScope, pattern: ArgumentPattern): string =>
  `${scope} ${JSON.stringify(pattern)}`;

/** When a permission ends, ISO 8601; null: with no date. `undefined` where the chosen day is none that is to come. */
export function endOf(draft: Pick<RequestDraft, 'end' | 'own_day'>, now: number): string | null | undefined {
  if (draft.end === 'none') return null;
  if (draft.end !== 'own') return new Date(now + days[draft.end] * dayMillis).toISOString();
  if (!/^\d{4}-\d\d-\d\d$/.test(draft.own_day)) return undefined;
  const end = new Date(`${draft.own_day}T23:59:59`).getTime();
  return end > now ? new Date(end).toISOString() : undefined;
}

export interface TermsGiven {
  readonly request: ApprovalRequested;
  readonly draft: RequestDraft;
  /** Null until it is known what the arguments come to. */
  readonly reading: RequestReading | null;
  /** The permission that the request speaks of, where it is on record. */
  readonly grant: GrantEntry | null;
  readonly now: number;
}

function onlyOnce({ request, draft, reading }: TermsGiven): RequestTerms['only_once'] {
  if (draft.editing) return 'edited';
  const unread = reading?.shape.type === 'command' && reading.shape.reading.type === 'uninspectable';
  return unread || request.reason === 'uninspectable' ? 'uninspectable' : null;
}

/** Any arguments is the widest choice: it is never preselected where a tool runs programs or reaches outside. */
function preselected(
  given: TermsGiven,
  former: GrantEntry | null,
  options: readonly ArgumentPattern[],
): ArgumentPattern | null {
  if (former) return former.grant.pattern ?? anyArguments;
  const { classification } = given.request;
  if (classification === 'read' || classification === 'write') return anyArguments;
  const [narrowest] = options;
  return narrowest && narrowest.length > 0 ? narrowest : null;
}

/** Pure: what the person set, with what is preselected where they set nothing. */
export function termsOf(given: TermsGiven): RequestTerms {
  const { request, draft, reading, grant, now } = given;
  const only_once = onlyOnce(given);
  const stands = request.reason === 'definition_changed' && grant !== null && grant.ended === null;
  const former = stands ? grant : null;
  const options = patternOptions(
    reading?.suggestions ?? [],
    former && (former.grant.pattern ?? anyArguments),
  );
  const scope = only_once ? 'once' : (draft.scope ?? former?.grant.scope ?? 'once');
  const base = { scope, options, former, only_once };
  if (scope === 'once') return { ...base, pattern: anyArguments, warning: null, missing: null };
  const pattern = draft.pattern ?? preselected(given, former, options);
  const warning = warningOf(request.classification, pattern);
  if (pattern === null) return { ...base, pattern, warning, missing: 'choose' };
  const noted = warning === null || draft.accepted === acceptanceOf(scope, pattern);
  const missing = endOf(draft, now) === undefined ? 'end' : noted ? null : 'accept';
  return { ...base, pattern, warning, missing };
}
