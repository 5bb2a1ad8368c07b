export { createHistory, type History } from './history';
export { runTurn, type OpenResponse } from './run-turn';
export type { StopReason, TurnDeps, TurnEnd, TurnPlan } from './turn-port';
