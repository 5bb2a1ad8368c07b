export { openSession } from './open-session';
export type { PrepareDeps } from './prepare';
export type { IdKind, Session, SessionDeps, SessionPush, Submission, SubmittedFile } from './session-port';
