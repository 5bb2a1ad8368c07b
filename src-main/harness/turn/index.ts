export { createHistory, type History } from './history';
export { limitReached, requestsPerTurn } from './pass-limits';
export { runCallsAlone, runTurn, type OpenResponse, type TurnStart } from './run-turn';
export type { PauseAnswer, StopReason, TurnDeps, TurnEnd, TurnPlan } from './turn-port';
