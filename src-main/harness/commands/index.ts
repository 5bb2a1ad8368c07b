export { openCommandReader, withoutGrammar, type CommandReader, type ShellKind } from './command-reader';
export { coversCommand } from './covers-command';
export { prefixOf } from './prefix-of';
