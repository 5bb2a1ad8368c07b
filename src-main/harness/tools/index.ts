export {
  createRegistry,
  resolveSelection,
  type Registry,
  type RegistryBuilder,
  type Resolution,
} from './registry';
export * from './tool';
