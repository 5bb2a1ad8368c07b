import { expect, it } from 'vitest';
import { childEnvironment } from './child-environment';

it('S1-32 a server sees a short list and what its configuration declares, never our keys', () => {
  const env = {
    PATH: '/bin',
    HOME: '/h',
    ANTHROPIC_API_KEY: 'k',
    NODE_OPTIONS: '-r x',
    SHELL: '() { evil; }',
  };
  expect(childEnvironment('linux', env, { MINE: '1', HOME: '/other' })).toEqual({
    PATH: '/bin',
    HOME: '/other',
    MINE: '1',
  });
});
it('compares names as Windows does', () => {
  const env = { Path: 'C:\\', SystemRoot: 'C:\\Windows', OPENAI_API_KEY: 'k', temp: 'C:\\t' };
  expect(childEnvironment('win32', env, { TEMP: 'D:\\t' })).toEqual({
    Path: 'C:\\',
    SystemRoot: 'C:\\Windows',
    TEMP: 'D:\\t',
  });
});
