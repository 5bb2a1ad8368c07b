export type { Bundle, BundleReading, BundleSource, Skill } from './bundle';
export * from './check-bundle';
export * from './coworker-card';
export * from './instructions';
export * from './library';
export { readBundle } from './read-bundle';
