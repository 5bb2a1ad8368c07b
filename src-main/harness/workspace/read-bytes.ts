import { ok, type Result } from '../protocol';
import { openFile } from './open-folder';
import { pathRefused } from './path-rules';
import type { ResolvedPath, Workspace } from './workspace';

/** Reads a whole resolved file of at most `maxBytes`; a larger one is refused, also when it grows meanwhile. */
export async function readBytes(
  workspace: Workspace,
  file: ResolvedPath,
  maxBytes: number,
): Promise<Result<Buffer>> {
  const opened = await openFile(workspace, file);
  if (!opened.ok) return opened;
  const handle = opened.value;
  try {
    const chunks: Buffer[] = [];
    let total = 0;
    for (;;) {
      const want = Math.min(65_536, maxBytes + 1 - total);
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(want), 0, want, total);
      if (bytesRead === 0) return ok(Buffer.concat(chunks));
      total += bytesRead;
      if (total > maxBytes) {
        return {
          ok: false,
          error: pathRefused(
            file.path,
            `is larger than the ${Math.floor(maxBytes / 1024)} KB that are allowed here`,
            'Make it smaller.',
          ),
        };
      }
      chunks.push(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}
