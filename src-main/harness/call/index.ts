export type { CallDeps, CallEnd, CallPlan, Recorder } from './call-port';
export { runCall } from './run-call';
