export {
  maxCallbackCharacters,
  presentCallbackTool,
  ToolImageResult,
  type CallbackContext,
  type CallbackDefinition,
} from './callback-tool';
export * from './definition-changes';
export {
  createRegistry,
  resolveSelection,
  type Registry,
  type RegistryBuilder,
  type Resolution,
} from './registry';
export * from './tool';
