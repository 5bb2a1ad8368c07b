import type { BigIntStats } from 'node:fs';
import { link, lstat, mkdir, readdir, rename, rmdir, unlink } from 'node:fs/promises';

/** The file operations that a move is made of; a test puts a system of other habits in their place. */
export interface MoveFs {
  lstat(path: string): Promise<BigIntStats>;
  link(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  mkdir(path: string): Promise<void>;
  rmdir(path: string): Promise<void>;
  readdir(path: string): Promise<string[]>;
}

export const realMoveFs: MoveFs = {
  lstat: (path) => lstat(path, { bigint: true }),
  link,
  unlink,
  rename,
  mkdir: async (path) => {
    await mkdir(path);
  },
  rmdir,
  readdir: (path) => readdir(path),
};
