export * from './check-image';
export * from './decode-image-base64';
export * from './image-limits';
export * from './image-store';
export * from './image-store-port';
export * from './image-text';
