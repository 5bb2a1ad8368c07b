export { codeDigest, type CodePlaces, type CodeReader } from './code-digest';
export { currentIdentity } from './identity';
export { openSession } from './open-session';
export { classifiedAs, realPath, type PermissionDeps } from './permissions';
export type { PrepareDeps } from './prepare';
export { continuedTitle } from './title';
export type {
  BegunTurn,
  IdKind,
  Session,
  SessionDeps,
  SessionPush,
  SessionStanding,
  Settlement,
  Submission,
  SubmittedFile,
} from './session-port';
