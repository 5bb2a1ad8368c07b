import { describe, expect, it } from 'vitest';
import { parseServersFile } from './servers-file';

function serversOf(server: object) {
  const text = JSON.stringify({ version: 1, servers: { acer: server } });
  return parseServersFile(text, { file: 'servers.json', folder: '/etc/ow' });
}

describe('how a server is reached', () => {
  const both = { program: '/opt/acer', args: [], url: 'https://mcp.example.com/mcp' };

  it('S1-30: one is launched or connected to, as its transport says, and never both', () => {
    const [launched] = serversOf({ transport: 'stdio', ...both }).servers;
    expect(launched).toMatchObject({ transport: 'stdio', program: '/opt/acer' });
    expect(launched).not.toHaveProperty('url');
    const [connected] = serversOf({ transport: 'streamable_http', ...both }).servers;
    expect(connected).toMatchObject({ transport: 'streamable_http', url: 'https://mcp.example.com/mcp' });
    expect(connected).not.toHaveProperty('program');
  });

  it('S1-30: without a transport neither is guessed', () => {
    const { servers, problems } = serversOf(both);
    expect(servers).toEqual([]);
    expect(problems[0]?.message).toContain('"transport" must be "stdio" or "streamable_http"');
  });
});
