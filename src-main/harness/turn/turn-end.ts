import { failure } from '../protocol';
import type { StopReason, TurnEnd } from './turn-port';

export function stopEnd(signal: AbortSignal): TurnEnd {
  return (signal.reason as StopReason) === 'closing'
    ? { outcome: 'interrupted', error: failure('interrupted', 'The app was closed while this turn ran.') }
    : { outcome: 'stopped', error: null };
}
