export type { Bundle, BundleReading, BundleSource, CheckedParts, Skill, ToolsVersion } from './bundle';
export * from './check-bundle';
export * from './coworker-card';
export * from './instructions';
export * from './library';
export { mcpOnlyProblems } from './mcp-only';
export { readBundle } from './read-bundle';
