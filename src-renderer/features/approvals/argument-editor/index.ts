export { ArgumentChanges } from './argument-changes';
export { ArgumentEditor } from './argument-editor';
export type { ArgumentDraft } from './draft';
export type { DraftProblem } from './editor-state';
