export * from './canonical-json';
export * from './schema-compiler';
