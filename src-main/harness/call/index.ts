export { deniedEvents, expiredEvents, type CallFacts } from './call-events';
export type { CallDeps, CallEnd, CallPlan, Recorder } from './call-port';
export { prepareCall, type PrepareCallDeps, type PreparedCall } from './prepare-call';
export { runCall } from './run-call';
export { takeAllowance, type AnsweredRequest } from './take-answer';
