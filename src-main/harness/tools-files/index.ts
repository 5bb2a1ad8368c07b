export * from './register-files-tools';
