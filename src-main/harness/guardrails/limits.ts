/** How long one guardrail may look at one call, in milliseconds. */
export const guardrailTimeMs = 2_000;

export const overdue = `It was not done within ${guardrailTimeMs / 1000} seconds.`;
export const brokeOff = 'It broke off with an error, or answered nothing that can be used.';
export const stopped = 'The turn was stopped before it was done.';
