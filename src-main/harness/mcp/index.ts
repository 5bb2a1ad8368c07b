export { createMcpServers, type McpServers, type McpServersDeps } from './mcp-servers';
export { createEnvironmentSecretResolver, type SecretResolver } from './config/secret-references';
export { openTrust, type TrustBook } from './server-trust';
export type { ServerConfig } from './config/server-config';
export { parseServersFile, readServersFile, type ServersFile } from './config/servers-file';
