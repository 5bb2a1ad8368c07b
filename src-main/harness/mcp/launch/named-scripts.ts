import { createHash } from 'node:crypto';
import { readFileSync, statSync, type Stats } from 'node:fs';
import path from 'node:path';
import type { StdioServerConfig } from '../config/server-config';

/** What reading scripts needs of the machine; `node:fs` fits. */
export interface ScriptReader {
  statSync(file: string, options: { readonly throwIfNoEntry: false }): Stats | undefined;
  readFileSync(file: string): Uint8Array;
}

/** Files that an interpreter runs. Data that a server works on may change without anybody being asked. */
const scriptName = /\.(c?js|mjs|[cm]?ts|py|pyw|rb|sh|bash|zsh|fish|ps1|psm1|bat|cmd|pl|php|lua|jar|wasm)$/i;
/** Installed packages are known by their version, and an update of one is no change of the command. */
const installed = /[\\/](node_modules|site-packages)[\\/]/;
const maxBytes = 16 * 1024 * 1024;

function candidates({ program, args, cwd, folder }: StdioServerConfig, paths: path.PlatformPath): string[] {
  const words = args.flatMap((arg) => {
    const value = /^--?[\w-]+=(.+)$/.exec(arg)?.[1];
    return value === undefined ? [arg] : [arg, value];
  });
  const inArgs = words.filter((word) => scriptName.test(word)).map((word) => paths.resolve(cwd, word));
  const own = /[\\/]/.test(program) ? [paths.resolve(folder, program)] : [];
  return [...own.filter((file) => scriptName.test(file)), ...inArgs];
}

/**
 * The scripts that a command names by their path, each with the SHA-256 of what it holds now: whoever changes one
 * changes what runs (hazard 16). `missing` where there is no such file, `unreadable` where it cannot be read or is too
 * large to be.
 */
export function namedScripts(
  config: StdioServerConfig,
  platform: NodeJS.Platform,
  reader: ScriptReader = { statSync, readFileSync },
): Readonly<Record<string, string>> {
  const paths = platform === 'win32' ? path.win32 : path.posix;
  const files = [...new Set(candidates(config, paths))].filter((file) => !installed.test(file));
  return Object.fromEntries(files.sort().map((file) => [file, digestOf(file, reader)]));
}

function digestOf(file: string, reader: ScriptReader): string {
  try {
    const stat = reader.statSync(file, { throwIfNoEntry: false });
    if (!stat) return 'missing';
    if (!stat.isFile() || stat.size > maxBytes) return 'unreadable';
    return createHash('sha256').update(reader.readFileSync(file)).digest('hex');
  } catch {
    return 'unreadable';
  }
}
