export * from '../../src-main/harness/protocol';
export * from './bridge';
export * from './commands';
export { maxAttachmentBytes, maxAttachments, maxTextLength } from './payload-parts';
export { maxLimits } from './session-commands';
