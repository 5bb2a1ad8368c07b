export * from './bounded-json';
export * from './canonical-json';
export * from './hidden-text';
export * from './redact-secrets';
export * from './schema-compiler';
export * from './secret-spans';
