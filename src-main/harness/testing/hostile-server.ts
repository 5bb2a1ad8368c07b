import type { StdioServerConfig } from '../mcp/config/server-config';
import { testServer, type TestServer } from './mcp-test-server';

/** Each way in which the hostile server can misbehave. */
export type Misbehaviour =
  | 'good'
  | 'modern'
  | 'modern-bad-tools'
  | 'modern-asks-for-input'
  | 'silent'
  | 'silent-on-probe'
  | 'dies-on-probe'
  | 'dies-at-start'
  | 'slow-start'
  | 'rubbish-stdout'
  | 'huge-line'
  | 'duplicate-tools'
  | 'bad-tools'
  | 'stuck-cursor'
  | 'endless-cursor'
  | 'wide-page'
  | 'given-tools'
  | 'announces-change'
  | 'changing-definition'
  | 'changes-after-restart'
  | 'dies-on-call'
  | 'killed-on-call'
  | 'answers-late'
  | 'answers-twice'
  | 'tells-environment'
  | 'rubbish-on-call'
  | 'floods-on-call'
  | 'asks-for-everything'
  | 'asks-without-end'
  | 'fetches'
  | 'null-result'
  | 'never-answers'
  | 'wrong-output'
  | 'invalid-result'
  | 'huge-result'
  | 'asks-for-input'
  | 'ignores-end';

/** A real server process that misbehaves; it offers the tool `good` wherever it offers one at all. */
export function hostileServer(
  how: Misbehaviour,
  options: { name?: string; extra?: string; config?: Partial<StdioServerConfig> } = {},
): TestServer {
  const args = options.extra === undefined ? [how] : [how, options.extra];
  return testServer(options.name ?? 'hostile', 'hostile-server.mjs', args, options.config);
}
