export { createGuardrails } from './create-guardrails';
export { mergeFacts } from './facts';
export * from './guardrail';
export {
  builtInGuardrails,
  defaultSelections,
  parseGuardrailSettings,
  parseGuardrailsText,
} from './guardrail-settings';
export { hiddenCharacterDetection } from './hidden-characters';
export { guardrailTimeMs } from './limits';
export { secretRedaction } from './secret-redaction';
export { guardEchoes } from './withheld-echo';
