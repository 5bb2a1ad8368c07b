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
export { coversArguments, hostOf, valueAt, type CommandFacts, type PatternSubject } from './argument-pattern';
export { forwardClock, lapseOf, openLedger, samePermission, type Ledger } from './ledger';
export {
  decide,
  policyRules,
  type ClassifiedAs,
  type Decision,
  type PolicyQuestion,
  type StandingAnswer,
  type StandingGrant,
} from './policy';
