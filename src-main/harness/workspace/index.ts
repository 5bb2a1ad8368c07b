export * from './fs-failure';
export * from './list-files-for-mention';
export * from './open-folder';
export * from './path-rules';
export * from './protected-names';
export * from './read-bytes';
export * from './workspace';
