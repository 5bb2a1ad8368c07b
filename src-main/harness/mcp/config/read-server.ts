import path from 'node:path';
import type { Node } from 'jsonc-parser';
import { checkNamespace } from '../../protocol';
import { brokenReference, hasReference } from './secret-references';
import {
  commonDefaults,
  hostPlacement,
  type OAuthClient,
  type ServerConfig,
  type StdioServerConfig,
} from './server-config';

/** What reading a file needs besides its text. */
export interface ReadContext {
  readonly folder: string;
  /** Notes a problem at a place of the text. */
  report(offset: number, message: string, severity?: 'error' | 'warning'): void;
}

/** Members of an object node by key, in order; a key that comes twice is a problem (S0-46) and the first one stays. */
export function membersOf(object: Node, context: ReadContext): Map<string, Node> {
  const members = new Map<string, Node>();
  for (const property of object.children ?? []) {
    const [key, value] = property.children ?? [];
    if (!key || !value) continue;
    const name = String(key.value);
    if (members.has(name)) {
      context.report(key.offset, `The key ${JSON.stringify(name)} comes twice. Remove one of them.`);
    } else {
      members.set(name, value);
    }
  }
  return members;
}

/** Typed access to the members of one server; every wrong member is reported once. */
interface Reader {
  readonly node: Node;
  readonly members: ReadonlyMap<string, Node>;
  readonly label: string;
  failed: boolean;
  report(node: Node, message: string): void;
  warn(node: Node, message: string): void;
}

/** Reads one member of `servers`; null when it has an error, which is then reported. */
export function readServer(name: string, node: Node, context: ReadContext): ServerConfig | null {
  const bad = checkNamespace(name);
  if (bad) {
    context.report(node.offset, bad.message);
    return null;
  }
  if (node.type !== 'object') {
    context.report(node.offset, `Server "${name}" must be an object.`);
    return null;
  }
  const reader: Reader = {
    node,
    members: membersOf(node, context),
    label: `Server "${name}"`,
    failed: false,
    report(at, message) {
      reader.failed = true;
      context.report(at.offset, `${reader.label}: ${message}`);
    },
    warn: (at, message) => context.report(at.offset, `${reader.label}: ${message}`, 'warning'),
  };
  const common = {
    name,
    enabled: readFlag(reader, 'enabled', commonDefaults.enabled),
    sampling: readFlag(reader, 'sampling', commonDefaults.sampling),
    call_timeout_ms: readSeconds(reader, 'call_timeout_seconds', commonDefaults.call_timeout_ms),
    call_ceiling_ms: readSeconds(reader, 'call_ceiling_seconds', commonDefaults.call_ceiling_ms),
  };
  const transport = readTransport(reader);
  if (transport === null) return null;
  const config: ServerConfig =
    transport === 'stdio'
      ? { ...common, transport, ...readStdio(reader, context.folder), ...readPlacement(reader) }
      : { ...common, transport, ...readHttp(reader), oauth: readOAuth(reader) };
  return reader.failed ? null : config;
}

function readTransport(reader: Reader): ServerConfig['transport'] | null {
  const node = reader.members.get('transport');
  const value: unknown = node?.value;
  if (value === 'stdio' || value === 'streamable_http' || value === 'sse') return value;
  if (value === 'streamable-http') {
    reader.report(
      node ?? reader.node,
      '"streamable-http" is the spelling of the SDK call. In this file write "streamable_http".',
    );
  } else {
    reader.report(
      node ?? reader.node,
      '"transport" must be "stdio" or "streamable_http" ("sse" for servers that know nothing newer).',
    );
  }
  return null;
}

function readStdio(reader: Reader, folder: string) {
  const program = readText(reader, 'program', `Write the executable as "program".`);
  if (program !== null && program.value.includes('${')) {
    reader.report(program.node, 'References are allowed in args, env, headers and url, not in "program".');
  }
  const cwd = reader.members.has('cwd') ? readText(reader, 'cwd', 'Write a folder.') : null;
  return {
    program: program?.value ?? '',
    args: readList(reader, 'args'),
    env: readMap(reader, 'env', /^[A-Za-z_][A-Za-z0-9_]*$/, /(TOKEN|SECRET|PASSWORD|API_?KEY|PRIVATE_KEY)$/i),
    cwd: cwd === null ? folder : path.resolve(folder, cwd.value),
    folder,
  };
}

function readHttp(reader: Reader) {
  const url = readText(reader, 'url', 'Write the address as "url".');
  if (url !== null) {
    const problem = configuredUrlProblem(url.value);
    checkValue(reader, url.node, '"url"');
    if (problem) reader.report(url.node, problem);
  }
  const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
  return {
    url: url?.value ?? '',
    headers: readMap(reader, 'headers', token, /^(authorization|cookie|.*(token|api-?key|secret).*)$/i),
  };
}

/** What is wrong with a configured address, or null. Each reference in it is judged as a plain word for now. */
function configuredUrlProblem(text: string): string | null {
  return text.startsWith('${') ? null : urlProblem(text.replace(/\$\{[^}]*\}/g, '1'), text);
}

/** What is wrong with an address whose references have their values, or null. */
export function urlProblem(address: string, shown = address): string | null {
  if (!URL.canParse(address))
    return `"url" ${JSON.stringify(shown)} is not an address. Write https://host/path.`;
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') {
    return '"url" holds a user name or password. Put it into "headers" as a ${secret:NAME} reference.';
  }
  if (url.protocol === 'https:') return null;
  if (url.protocol === 'http:' && isLoopback(url.hostname)) return null;
  return `"url" ${JSON.stringify(shown)} must begin with https://; http:// is for this machine only (127.0.0.1, [::1], localhost).`;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function readText(reader: Reader, key: string, remedy: string): { value: string; node: Node } | null {
  const node = reader.members.get(key);
  const value: unknown = node?.value;
  if (node && typeof value === 'string' && value !== '' && !value.includes('\0')) return { value, node };
  const hint =
    key === 'program' && reader.members.has('command') ? ' "command" is another program\'s spelling.' : '';
  reader.report(node ?? reader.node, `"${key}" must be a text that is not empty. ${remedy}${hint}`);
  return null;
}

function readList(reader: Reader, key: string): string[] {
  const node = reader.members.get(key);
  if (!node) return [];
  const items = node.type === 'array' ? (node.children ?? []) : null;
  if (!items || items.some((item) => typeof item.value !== 'string')) {
    reader.report(node, `"${key}" must be a list of texts.`);
    return [];
  }
  for (const item of items) checkValue(reader, item, `"${key}"`);
  return items.map((item) => String(item.value));
}

function readMap(reader: Reader, key: string, names: RegExp, secret: RegExp): Record<string, string> {
  const node = reader.members.get(key);
  const map: Record<string, string> = {};
  if (!node) return map;
  if (node.type !== 'object') {
    reader.report(node, `"${key}" must be an object of texts.`);
    return map;
  }
  const members = membersOf(node, { folder: '', report: (_, message) => reader.report(node, message) });
  for (const [name, value] of members) {
    if (!names.test(name))
      reader.report(value, `"${key}" has the name ${JSON.stringify(name)}, which is not allowed.`);
    else if (typeof value.value !== 'string') reader.report(value, `"${key}.${name}" must be a text.`);
    else {
      checkValue(reader, value, `"${key}.${name}"`);
      if (secret.test(name) && !hasReference(value.value)) {
        reader.warn(
          value,
          `"${key}.${name}" looks like a secret in plain text. Write it as \${secret:NAME}.`,
        );
      }
      map[name] = value.value;
    }
  }
  return map;
}

function checkValue(reader: Reader, node: Node, what: string): void {
  const text = String(node.value);
  const broken = brokenReference(text);
  if (broken !== null) {
    reader.report(node, `${what} holds ${JSON.stringify(broken)}. Write \${secret:NAME} or \${env:NAME}.`);
  }
  if (text.includes('\0')) reader.report(node, `${what} holds a NUL character. Remove it.`);
}

function readSeconds(reader: Reader, key: string, fallback: number): number {
  const node = reader.members.get(key);
  if (!node) return fallback;
  const value: unknown = node.value;
  if (typeof value === 'number' && value >= 1 && value <= 86_400) return Math.round(value * 1000);
  reader.report(node, `"${key}" must be a number of seconds from 1 to 86400.`);
  return fallback;
}

function readFlag(reader: Reader, key: string, fallback: boolean): boolean {
  const node = reader.members.get(key);
  if (!node) return fallback;
  const value: unknown = node.value;
  if (typeof value === 'boolean') return value;
  reader.report(node, `"${key}" must be true or false.`);
  return fallback;
}

function readPlacement(reader: Reader): Pick<StdioServerConfig, 'placement' | 'sandbox'> {
  const node = reader.members.get('placement');
  const value: unknown = node?.value ?? 'host';
  const limits = reader.members.get('sandbox');
  if (value !== 'host' && value !== 'sandbox' && value !== 'openshell') {
    reader.report(node ?? reader.node, '"placement" must be "host", "sandbox" or "openshell".');
    return hostPlacement;
  }
  if (value === 'sandbox') return { placement: value, sandbox: readLimits(reader, limits) };
  if (limits) reader.report(limits, '"sandbox" stands only beside "placement": "sandbox".');
  return { placement: value, sandbox: null };
}

function readLimits(reader: Reader, node: Node | undefined): StdioServerConfig['sandbox'] {
  if (!node) return { workspace: 'none', network: [] };
  if (node.type !== 'object') {
    reader.report(node, '"sandbox" must be an object with "workspace" and "network".');
    return null;
  }
  const inner = within(reader, node);
  const access = inner.members.get('workspace');
  const workspace: unknown = access?.value ?? 'none';
  if (workspace !== 'none' && workspace !== 'read_only' && workspace !== 'read_write') {
    reader.report(access ?? node, '"sandbox.workspace" must be "none", "read_only" or "read_write".');
    return null;
  }
  return { workspace, network: readHosts(inner) };
}

/** The members of an object in the server's own, reported at their places. */
function within(reader: Reader, node: Node): Reader {
  const members = membersOf(node, { folder: '', report: (_, message) => reader.report(node, message) });
  return { ...reader, node, members, report: (at, message) => reader.report(at, message) };
}

const hostPattern = /^(\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

/** Lower-case names only, so that what is written is what is compared (hazard 40). */
function readHosts(reader: Reader): string[] {
  const hosts = readList(reader, 'network');
  const node = reader.members.get('network');
  for (const host of hosts) {
    if (host.length <= 253 && hostPattern.test(host)) continue;
    const words = `"sandbox.network" holds ${JSON.stringify(host)}. Write a host in lower case, without port, or "*." and a host.`;
    reader.report(node ?? reader.node, words);
  }
  return hosts;
}

function readOAuth(reader: Reader): OAuthClient | null {
  const node = reader.members.get('oauth');
  if (!node) return null;
  if (node.type !== 'object') {
    reader.report(node, '"oauth" must be an object with "client_id".');
    return null;
  }
  const inner = within(reader, node);
  const id = readText(inner, 'client_id', 'Write the id that the service gave to this app.');
  const secret = optionalText(inner, 'client_secret');
  if (secret !== null && !hasReference(secret)) {
    reader.report(node, '"oauth.client_secret" stands in plain text. Write it as ${secret:NAME}.');
  }
  return { client_id: id?.value ?? '', client_secret: secret, scope: optionalText(inner, 'scope') };
}

function optionalText(reader: Reader, key: string): string | null {
  if (!reader.members.has(key)) return null;
  const read = readText(reader, key, 'Remove it, or write a text.');
  if (read) checkValue(reader, read.node, `"${key}"`);
  return read?.value ?? null;
}
