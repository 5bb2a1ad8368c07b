import { describe, expect, it } from 'vitest';
import { knownFolders, type FolderDisk } from './known-folders';

/** A disk with these files; every folder above one exists. */
function diskOf(files: Readonly<Record<string, string>>, separator: string): FolderDisk {
  const names = Object.keys(files);
  return {
    isFolder: (folder) => Promise.resolve(names.some((name) => name.startsWith(folder + separator))),
    readText: (file) => Promise.resolve(files[file] ?? null),
    list: (folder) =>
      Promise.resolve([
        ...new Set(
          names
            .filter((name) => name.startsWith(folder + separator))
            .map((name) => name.slice(folder.length + 1).split(separator)[0] ?? ''),
        ),
      ]),
  };
}

const posix = (
  files: Record<string, string>,
  env: Record<string, string> = {},
  platform: NodeJS.Platform = 'darwin',
) => knownFolders({ platform, env, home: '/Users/me', disk: diskOf(files, '/') });

describe('known folders', () => {
  it('macOS: those that exist, version managers first', async () => {
    const files = [
      '/usr/local/bin/x',
      '/opt/homebrew/bin/node',
      '/Users/me/.volta/bin/node',
      '/Users/me/.local/share/mise/shims/node',
      '/Users/me/.asdf/shims/node',
      '/Users/me/Library/Application Support/fnm/aliases/default/bin/node',
      '/Users/me/.local/bin/uvx',
      '/Users/me/.cargo/bin/cargo',
      '/home/linuxbrew/.linuxbrew/bin/x',
    ];
    expect(await posix(Object.fromEntries(files.map((file) => [file, ''])))).toEqual([
      '/Users/me/.volta/bin',
      '/Users/me/Library/Application Support/fnm/aliases/default/bin',
      '/Users/me/.local/share/mise/shims',
      '/Users/me/.asdf/shims',
      '/Users/me/.local/bin',
      '/Users/me/.cargo/bin',
      '/opt/homebrew/bin',
      '/usr/local/bin',
    ]);
  });

  it.each([
    ['node', 'v22.3.1'],
    ['stable', 'v22.3.1'],
    ['22', 'v22.3.1'],
    ['v22.3', 'v22.3.1'],
    ['v9.11.2', 'v9.11.2'],
    ['lts/*', 'v20.1.0'],
    ['lts/iron', 'v20.1.0'],
    ['mine', 'v9.11.2'],
    ['2', null],
    ['v18.0.0', null],
    ['circle', null],
    ['../../../etc', null],
    ['system', null],
    ['', null],
  ])('nvm: the default %j is %s', async (wanted, version) => {
    const nvm = '/Users/me/.nvm';
    const found = await posix({
      [`${nvm}/alias/default`]: `${wanted}\n`,
      [`${nvm}/alias/lts/*`]: 'lts/iron\n',
      [`${nvm}/alias/lts/iron`]: 'v20.1.0\n',
      [`${nvm}/alias/mine`]: '9.11.2',
      [`${nvm}/alias/circle`]: 'circle',
      [`${nvm}/versions/node/v9.11.2/bin/node`]: '',
      [`${nvm}/versions/node/v20.1.0/bin/node`]: '',
      [`${nvm}/versions/node/v22.3.1/bin/node`]: '',
      [`${nvm}/versions/node/.cache/bin/node`]: '',
    });
    expect(found).toEqual(version === null ? [] : [`${nvm}/versions/node/${version}/bin`]);
  });

  it('Linux: places that variables name; a relative one is none', async () => {
    const files = {
      '/d/mise/shims/node': '',
      '/n/versions/node/v1.2.3/bin/node': '',
      '/n/alias/default': '1.2.3',
    };
    const env = { XDG_DATA_HOME: '/d', NVM_DIR: '/n', VOLTA_HOME: 'volta' };
    expect(await posix({ ...files, 'volta/bin/node': '' }, env, 'linux')).toEqual([
      '/n/versions/node/v1.2.3/bin',
      '/d/mise/shims',
    ]);
  });

  it('Windows: per person and per computer', async () => {
    const local = 'C:\\Users\\me\\AppData\\Local';
    const files = [
      'C:\\Program Files\\nodejs\\node.exe',
      'D:\\Roaming\\npm\\npx.cmd',
      `${local}\\Programs\\Python\\Python39\\python.exe`,
      `${local}\\Programs\\Python\\Python313\\python.exe`,
      `${local}\\Programs\\Python\\Python313\\Scripts\\uvx.exe`,
      `${local}\\Microsoft\\WinGet\\Links\\uv.exe`,
      'C:\\Users\\me\\scoop\\shims\\node.exe',
      'C:\\Users\\me\\.local\\bin\\uv.exe',
    ];
    const found = await knownFolders({
      platform: 'win32',
      env: { AppData: 'D:\\Roaming' },
      home: 'C:\\Users\\me',
      disk: diskOf(Object.fromEntries(files.map((file) => [file, ''])), '\\'),
    });
    expect(found).toEqual([
      'C:\\Program Files\\nodejs',
      'D:\\Roaming\\npm',
      `${local}\\Programs\\Python\\Python313\\Scripts`,
      `${local}\\Programs\\Python\\Python313`,
      `${local}\\Microsoft\\WinGet\\Links`,
      'C:\\Users\\me\\scoop\\shims',
      'C:\\Users\\me\\.local\\bin',
    ]);
  });
});
