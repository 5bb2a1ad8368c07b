import { readFileSync } from 'node:fs';
import { builtInGuardrails, createGuardrails, parseGuardrailSettings } from './guardrails';
import type { HarnessOptions } from './harness-port';
import { fail, ok, type Json, type Result } from './protocol';
import type { SessionDeps } from './session';

/** Version of the rules of approval; it goes up when the same call would be decided otherwise (S0-57). */
const policyVersion = 1;

/** What stands in the file; undefined where there is none. */
function readConfiguration(file: string | null): Result<Json | undefined> {
  if (file === null) return ok(undefined);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ok(undefined);
    const detail = error instanceof Error ? error.message : String(error);
    return fail('invalid_input', `${file} cannot be read (${detail}). Correct its permissions.`);
  }
  try {
    return ok(JSON.parse(text.replace(/^\uFEFF/, '')) as Json);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return fail('invalid_input', `${file} is not JSON (${detail}). Correct it, or remove it.`);
  }
}

/**
 * The guardrails of the run as guardrails.json says, and what an execution identity covers of policies. A file that
 * cannot be used fails the start: a guardrail that somebody asked for is not left out in silence.
 */
export function openGuardrails(
  options: Pick<HarnessOptions, 'guardrails' | 'guardrailsFile'>,
): Result<Pick<SessionDeps, 'guardrails' | 'policies'>> {
  const guardrails = [...builtInGuardrails, ...(options.guardrails ?? [])];
  const configured = readConfiguration(options.guardrailsFile);
  if (!configured.ok) return configured;
  const selections = parseGuardrailSettings(configured.value, guardrails);
  if (!selections.ok) {
    const { code, message, data } = selections.error;
    return fail(code, `${options.guardrailsFile ?? 'guardrails.json'}: ${message}`, data);
  }
  const policies = {
    policy_version: policyVersion,
    guardrails: selections.value.map((selection) => ({ ...selection })),
  };
  return ok({ guardrails: createGuardrails({ guardrails, selections: selections.value }), policies });
}
