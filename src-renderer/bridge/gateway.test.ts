import { expect, it } from 'vitest';
import type { Bridge } from '../../src-preload/contract';
import { createGateway } from './gateway';

it('makes a value of a channel that breaks', async () => {
  const bridge = {
    command: () => Promise.reject(new Error('secret stack')),
    query: () => Promise.reject(new Error('secret stack')),
    onPush: () => () => undefined,
  } as unknown as Bridge;
  const gateway = createGateway(bridge);
  for (const result of [await gateway.query('app.info', {}), await gateway.command('attachment.pick', {})]) {
    expect(result.ok).toBe(false);
    expect(JSON.stringify(result)).not.toContain('secret');
  }
});
