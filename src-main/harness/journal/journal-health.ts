import { basename, dirname } from 'node:path';
import { failure, type Failure, type Problem } from '../protocol';
import { errorCode } from './database-failure';
import type { Finding } from './examine-journal';
import { quarantine } from './file-set';

/** What the journal may still take. */
export interface Health {
  readonly problems: readonly Problem[];
  /** Findings of which a copy of the files was kept, now or before. */
  readonly reported: ReadonlySet<string>;
  /** Why nothing can be recorded in the session, or at all (`null`); null when it can. */
  refusal(sessionId: string | null): Failure | null;
  /** True while an error keeps the whole journal from taking anything. */
  readOnly(): boolean;
  /** Keeps a copy of the files and refuses what the findings touch. */
  found(findings: readonly Finding[]): void;
  /** The disk failed in the middle of a write: nothing more until the journal is opened anew (hazard 82). */
  writeFailed(error: unknown): Failure;
  /** Forgets what is missing; answers why not where the file is damaged or a write failed. */
  acceptLoss(): Failure | null;
}

export interface HealthDeps {
  readonly file: string;
  readonly markFile: string;
  readonly reported: readonly string[];
  /** Now, ISO 8601 in UTC. */
  readonly at: () => string;
}

function remedyOf(kind: Finding['kind'], { file, markFile }: HealthDeps): string {
  switch (kind) {
    case 'loss':
      return `Put the missing files back and start again. To go on without these entries, choose “Go on without these entries” in the window, or delete ${markFile} while no app uses the folder. Until then nothing is recorded.`;
    case 'damage':
      return `What can be read is shown, and nothing more is recorded. Put a copy of the data folder back, or move ${dirname(file)} aside to start with an empty one.`;
    case 'session':
      return 'What is there can be read, and nothing more is recorded in it. Go on in a new session.';
  }
}

/** Keeps a copy of the files unless one was kept for each of the findings before. */
function keepCopy(
  { file, markFile, at }: HealthDeps,
  findings: readonly Finding[],
  reported: Set<string>,
): { readonly said: string; readonly kept: boolean } {
  const folder = dirname(file);
  if (findings.every(({ key }) => reported.has(key))) {
    return { said: `A copy of the files was kept before, in ${folder}.`, kept: true };
  }
  try {
    const copy = quarantine(file, markFile, at());
    for (const { key } of findings) reported.add(key);
    return { said: `The files as they were found are kept as ${basename(copy)} in ${folder}.`, kept: true };
  } catch (error) {
    const why = errorCode(error) || 'unknown error';
    return { said: `No copy of the files could be made in ${folder} (${why}).`, kept: false };
  }
}

export function watchHealth(deps: HealthDeps): Health {
  const { file } = deps;
  const problems: Problem[] = [];
  const reported = new Set(deps.reported);
  const sessions = new Map<string, Failure>();
  let whole: { readonly kind: 'loss' | 'damage' | 'write'; readonly failure: Failure } | null = null;
  const refuse = (finding: Finding, message: string, kept: boolean): Problem['severity'] => {
    const refusal = failure('journal_unavailable', message);
    if (finding.session_id !== null) sessions.set(finding.session_id, refusal);
    // Without a copy nothing may be changed.
    if (finding.kind === 'session' && kept) return 'warning';
    if (whole === null || finding.kind === 'damage') {
      whole = { kind: finding.kind === 'loss' ? 'loss' : 'damage', failure: refusal };
    }
    return 'error';
  };
  return {
    problems,
    reported,
    refusal: (sessionId) => whole?.failure ?? (sessionId === null ? null : (sessions.get(sessionId) ?? null)),
    readOnly: () => whole !== null,
    found(findings) {
      if (findings.length === 0) return;
      const { said, kept } = keepCopy(deps, findings, reported);
      for (const finding of findings) {
        const message = `Journal ${file}: ${finding.text}. ${said} ${remedyOf(finding.kind, deps)}`;
        const severity = refuse(finding, message, kept);
        const data = { kind: finding.kind, session_id: finding.session_id };
        problems.push({ code: 'journal_unavailable', message, file, severity, data });
      }
    },
    writeFailed(error) {
      const detail = error instanceof Error ? error.message : String(error);
      const refusal = failure(
        'journal_unavailable',
        `The disk failed while the journal ${file} was written (${detail}). Whether the last step is on the disk is not known, so nothing more is recorded or run. Check the disk, then start the app again.`,
        { sqlite_code: errorCode(error) },
      );
      whole = { kind: 'write', failure: refusal };
      problems.push({ ...refusal, file, severity: 'error' });
      return refusal;
    },
    acceptLoss() {
      if (whole !== null && whole.kind !== 'loss') return whole.failure;
      whole = null;
      const left = problems.filter((problem) => problem.data?.['kind'] !== 'loss');
      problems.splice(0, problems.length, ...left);
      return null;
    },
  };
}
