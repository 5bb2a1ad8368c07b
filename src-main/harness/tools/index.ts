export {
  maxCallbackCharacters,
  presentCallbackTool,
  ToolImageResult,
  type CallbackContext,
  type CallbackDefinition,
} from './callback-tool';
export * from './definition-changes';
export { linkedAbort } from './linked-abort';
export {
  createRegistry,
  resolveSelection,
  type Registry,
  type RegistryBuilder,
  type Resolution,
} from './registry';
export * from './tool';
