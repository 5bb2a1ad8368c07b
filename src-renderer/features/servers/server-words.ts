import type { ServerStatus } from '../../../src-preload/contract';
import type { MessageKey } from '../../messages/use-text';

export const stateTone = {
  ready: 'good',
  starting: 'running',
  not_started: 'neutral',
  failed: 'bad',
  disabled: 'neutral',
  untrusted: 'waiting',
} as const satisfies Record<ServerStatus['state'], string>;

/** A server that listens on this computer is not "over the network", although it is spoken to over HTTP. */
export function transportKey(server: ServerStatus): MessageKey {
  if (server.transport === 'stdio') return 'server.transport.stdio';
  const host = URL.canParse(server.target) ? new URL(server.target).hostname : '';
  const here = host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
  return here ? 'server.transport.loopback' : 'server.transport.streamable_http';
}
