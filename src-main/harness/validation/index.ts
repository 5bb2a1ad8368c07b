export * from './bounded-json';
export * from './canonical-json';
export * from './hidden-text';
export * from './placed-json';
export * from './redact-secrets';
export * from './replace-texts';
export * from './schema-compiler';
export * from './secret-spans';
