export * from '../../src-main/harness/protocol';
export * from './bridge';
export * from './commands';
