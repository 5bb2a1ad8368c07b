export {
  createApprovalDesk,
  type Answer,
  type ApprovalBinding,
  type ApprovalDesk,
  type Denial,
} from './approval-desk';
export { decide, type Decision, type PolicyQuestion, type StandingAnswer } from './policy';
