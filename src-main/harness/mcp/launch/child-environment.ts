type Environment = Readonly<Record<string, string | undefined>>;

const inherited: Readonly<Record<'posix' | 'windows', readonly string[]>> = {
  posix: ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'],
  windows: [
    'APPDATA',
    'COMSPEC',
    'HOMEDRIVE',
    'HOMEPATH',
    'LOCALAPPDATA',
    'PATH',
    'PATHEXT',
    'PROCESSOR_ARCHITECTURE',
    'PROGRAMDATA',
    'PROGRAMFILES',
    'PROGRAMFILES(X86)',
    'PROGRAMW6432',
    'SYSTEMDRIVE',
    'SYSTEMROOT',
    'TEMP',
    'TMP',
    'USERNAME',
    'USERPROFILE',
    'WINDIR',
  ],
};

/**
 * The environment of a server's process: a short list of harmless variables and what its configuration declares,
 * so that keys of ours never reach it. Names are compared as the platform compares them.
 */
export function childEnvironment(
  platform: NodeJS.Platform,
  env: Environment,
  declared: Readonly<Record<string, string>>,
): Record<string, string> {
  const windows = platform === 'win32';
  const same = (name: string) => (windows ? name.toUpperCase() : name);
  const wanted = new Set(inherited[windows ? 'windows' : 'posix']);
  const overridden = new Set(Object.keys(declared).map(same));
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || !wanted.has(same(name)) || overridden.has(same(name))) continue;
    // A shell function exported through the environment would run in a child shell.
    if (value.startsWith('()')) continue;
    result[name] = value;
  }
  return { ...result, ...declared };
}

/** The environment with another PATH, which has one name only, as the platform compares names. */
export function withPath(platform: NodeJS.Platform, env: Environment, value: string): Environment {
  if (platform !== 'win32') return { ...env, PATH: value };
  const others = Object.entries(env).filter(([name]) => name.toUpperCase() !== 'PATH');
  return { ...Object.fromEntries(others), Path: value };
}
