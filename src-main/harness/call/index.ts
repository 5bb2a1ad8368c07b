export { deniedEvents, type CallFacts } from './call-events';
export type { CallDeps, CallEnd, CallPlan, Recorder } from './call-port';
export { prepareCall, type PrepareCallDeps, type PreparedCall } from './prepare-call';
export { runCall } from './run-call';
