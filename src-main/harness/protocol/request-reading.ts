import type { CommandReading } from './command-reading';
import type { ArgumentPattern } from './grants';
import type { JsonSchema } from './json';

/** A file as a write would leave it. Text only; a file that is none, or is too large, says so. */
export interface FileChange {
  /** The path as the call names it. */
  readonly path: string;
  /** Where it really lies, links followed; null where that cannot be told. */
  readonly real_path: string | null;
  /** What is there now; null where there is nothing, or nothing that can be shown. */
  readonly before: string | null;
  readonly after: string | null;
  readonly state:
    'new' | 'changed' | 'same' | 'deleted' | 'not_text' | 'too_large' | 'unreadable' | 'does_not_fit';
}

/** What the arguments of a request come to, as main sees it when asked: a file may change until the call runs. */
export interface RequestReading {
  readonly shape:
    | { readonly type: 'plain' }
    | {
        readonly type: 'command';
        readonly reading: CommandReading;
        /** Where it would run. */
        readonly folder: string | null;
      }
    | { readonly type: 'files'; readonly changes: readonly FileChange[] };
  /** Ways to narrow a lasting permission so that it still covers this call; the narrowest last. */
  readonly suggestions: readonly ArgumentPattern[];
  /** The schema that edited arguments have to fit; null where it is not on record. */
  readonly schema: JsonSchema | null;
}
