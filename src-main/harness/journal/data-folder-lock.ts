import { readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { fail, ok, type Result } from '../protocol';
import { databaseFailure, errorCode } from './database-failure';
import { makeFolder } from './make-folder';

export interface DataFolderLock {
  close(): void;
}

/** Who holds the lock, for words and for other computers; what counts on this one is the system's own lock. */
interface Owner {
  readonly host: string;
  readonly pid: number;
}

/** File systems that other computers may have open too, by their number in statfs: NFS, SMB, CIFS, AFS, Coda, 9P, Ceph. */
const networkTypes: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xfe534d42, 0xff534d42, 0x5346414f, 0x73757245, 0x01021997, 0x00c36400,
]);

/** Whether the folder is known to lie on a network share. */
export function isNetworkFolder(folder: string): boolean {
  if (folder.startsWith('\\\\') || folder.startsWith('//')) return true;
  try {
    return networkTypes.has(statfsSync(folder).type);
  } catch {
    return false;
  }
}

function readOwner(file: string): Owner | null {
  try {
    const owner = JSON.parse(readFileSync(file, 'utf8')) as Partial<Owner> | null;
    if (typeof owner?.host !== 'string' || typeof owner.pid !== 'number') return null;
    return { host: owner.host, pid: owner.pid };
  } catch {
    return null;
  }
}

const remark =
  'The folder is on a network share, where locks may not work: a data folder belongs on a disk of this computer.';

/** Without an owner's record the lock may be one that the file system cannot give at all. */
function inUse(folder: string, owner: Owner | null, network: boolean): Result<never> {
  const what = owner
    ? `Another OpenWorker is using the data folder ${folder} (process ${owner.pid} on ${owner.host}).`
    : `The data folder ${folder} cannot be locked: another OpenWorker is using it, or its file system has no locks.`;
  return fail(
    'data_folder_in_use',
    `${what} Close that window or command first, or choose another folder.${network ? ` ${remark}` : ''}`,
  );
}

export interface LockOptions {
  /** Name of this computer; the system's own unless given. */
  readonly host?: string;
  readonly isNetwork?: (folder: string) => boolean;
}

/**
 * Makes this process the only one that writes to the data folder. The lock is the operating system's own, on a file
 * of its own, so it ends with the process however that ends. On a network share, where the lock may not reach other
 * computers, the record of another computer's process counts as well, until that process or a person removes it.
 */
export function lockDataFolder(folder: string, options: LockOptions = {}): Result<DataFolderLock> {
  const { host = hostname(), isNetwork = isNetworkFolder } = options;
  const file = join(folder, 'lock.db');
  const ownerFile = join(folder, 'lock.owner');
  const made = makeFolder(folder);
  if (!made.ok) return made;
  const network = isNetwork(folder);
  const owner = readOwner(ownerFile);
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { timeout: 0 });
    db.exec('BEGIN EXCLUSIVE');
    if (network && owner && owner.host !== host) {
      db.close();
      return fail(
        'data_folder_in_use',
        `The data folder ${folder} is in use on another computer (process ${owner.pid} on ${owner.host}). Close OpenWorker there; if it does not run there any more, delete ${ownerFile}. ${remark}`,
      );
    }
    writeFileSync(ownerFile, JSON.stringify({ host, pid: process.pid } satisfies Owner), { mode: 0o600 });
    const held = db;
    return ok({
      close() {
        rmSync(ownerFile, { force: true });
        held.exec('ROLLBACK');
        held.close();
      },
    });
  } catch (error) {
    db?.close();
    if (errorCode(error).startsWith('SQLITE_BUSY')) return inUse(folder, owner, network);
    const { code, message, data } = databaseFailure(error, file);
    if (code !== 'journal_unavailable') return fail(code, message, data);
    const detail = error instanceof Error ? error.message : String(error);
    return fail(
      code,
      `The data folder ${folder} cannot be locked (${detail}), so it is not used. ${network ? remark : 'Check its permissions, or choose another folder.'}`,
      data,
    );
  }
}
