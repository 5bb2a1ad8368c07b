export { createMcpServers, type McpServers, type McpServersDeps } from './mcp-servers';
export { createEnvironmentSecretResolver, type SecretResolver } from './secret-references';
export type { ServerConfig } from './server-config';
export { parseServersFile, readServersFile, type ServersFile } from './servers-file';
