export {
  createApprovalDesk,
  type Allowance,
  type Answer,
  type ApprovalBinding,
  type ApprovalDesk,
  type Denial,
  type ShownRequest,
  type TakenAllowance,
  type TakenAnswer,
  type WaitEnd,
} from './approval-desk';
export { coversArguments, hostOf, type CommandFacts, type PatternSubject } from './argument-pattern';
export { createGrantBook, entryOf, newestFirst } from './grant-book';
export { lapseOf, openLedger, samePermission, type Ledger } from './ledger';
export {
  decide,
  type ClassifiedAs,
  type Decision,
  type PolicyQuestion,
  type StandingAnswer,
  type StandingGrant,
} from './policy';
