import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { fileId, sameFile, type FileId } from '../workspace';

const chunkBytes = 1024 * 1024;

export interface CopyJob {
  readonly from: string;
  readonly to: string;
  /** The file that `from` must be. */
  readonly id: FileId;
  readonly signal: AbortSignal;
  /** Share done, 0 to 1. */
  progress(fraction: number): void;
}

export type CopyEnd =
  /** Everything is on the disk; `created` is the new file. */
  | { readonly type: 'copied'; readonly created: FileId }
  /** `created` is a part of a file that the caller removes. */
  | { readonly type: 'changed' | 'aborted'; readonly created: FileId | null };

/**
 * Copies a regular file into a new one that must not exist (`EEXIST` otherwise), with its permissions and times.
 * Throws file system errors; `onCreated` hears of the new file first, so that the caller can remove it.
 */
export async function copyFileExclusive(job: CopyJob, onCreated: (id: FileId) => void): Promise<CopyEnd> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const source = await open(job.from, flags);
  try {
    const before = await source.stat({ bigint: true });
    if (!before.isFile() || !sameFile(fileId(before), job.id)) return { type: 'changed', created: null };
    const target = await open(job.to, 'wx', 0o600);
    try {
      const created = fileId(await target.stat({ bigint: true }));
      onCreated(created);
      const buffer = Buffer.alloc(chunkBytes);
      let position = 0;
      for (;;) {
        if (job.signal.aborted) return { type: 'aborted', created };
        const { bytesRead } = await source.read(buffer, 0, chunkBytes, position);
        if (bytesRead === 0) break;
        await writeAll(target, buffer.subarray(0, bytesRead));
        position += bytesRead;
        job.progress(before.size === 0n ? 1 : Math.min(1, position / Number(before.size)));
      }
      await target.chmod(Number(before.mode) & 0o777);
      await target.utimes(Number(before.atimeNs) / 1e9, Number(before.mtimeNs) / 1e9);
      await target.sync();
      const after = await source.stat({ bigint: true });
      const same = after.size === before.size && after.mtimeNs === before.mtimeNs;
      return { type: same && BigInt(position) === after.size ? 'copied' : 'changed', created };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function writeAll(target: Awaited<ReturnType<typeof open>>, bytes: Buffer): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await target.write(bytes, done, bytes.length - done);
    done += bytesWritten;
  }
}
