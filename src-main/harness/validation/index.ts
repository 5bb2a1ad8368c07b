export * from './bounded-json';
export * from './canonical-json';
export * from './schema-compiler';
