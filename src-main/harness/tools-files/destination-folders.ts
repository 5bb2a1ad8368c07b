import { ok, type Failure, type Result } from '../protocol';
import {
  fsErrorCode,
  openChild,
  openRoot,
  pathRefused,
  sameFile,
  type FileId,
  type Folder,
  type Workspace,
} from '../workspace';
import type { MoveFs } from './move-fs';

/** The destination's folder, with every folder on the way kept open. */
export interface DestinationFolders {
  readonly parent: Folder;
  /** Removes the folders that were made for this move, as far as they are empty. */
  undo(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the folders of a destination and creates those that are missing. Refuses to pass through `source`, so that no
 * folder is moved into itself; nothing is created in that case. What it made is undone when it fails.
 */
export async function openDestination(
  workspace: Workspace,
  segments: readonly string[],
  source: FileId,
  fs: MoveFs,
): Promise<Result<DestinationFolders>> {
  const text = segments.join('/');
  const opened: Folder[] = [];
  const made: { readonly parent: Folder; readonly name: string }[] = [];
  const undo = async (): Promise<void> => {
    for (const { parent, name } of made.reverse()) await fs.rmdir(parent.entry(name)).catch(() => undefined);
  };
  const close = async (): Promise<void> => {
    for (const folder of opened.reverse()) await folder.close();
  };
  const refuse = async (error: Failure): Promise<{ ok: false; error: Failure }> => {
    await undo();
    await close();
    return { ok: false, error };
  };
  const root = await openRoot(workspace, text === '' ? '.' : text);
  if (!root.ok) return root;
  opened.push(root.value);
  let parent = root.value;
  try {
    for (const name of segments.slice(0, -1)) {
      let child = await openChild(workspace, parent, name, text);
      if (!child.ok && child.error.code === 'not_found') {
        if (await makeFolder(fs, parent.entry(name))) made.push({ parent, name });
        child = await openChild(workspace, parent, name, text);
      }
      if (!child.ok) return await refuse(child.error);
      opened.push(child.value);
      parent = child.value;
      if (sameFile(parent.id, source)) {
        return await refuse(
          pathRefused(
            text,
            'lies inside the folder that is to be moved',
            'Choose a destination outside of it.',
          ),
        );
      }
    }
    return ok({ parent, undo, close });
  } catch (error) {
    await undo();
    await close();
    throw error;
  }
}

/** False when somebody else made it in the meantime. */
async function makeFolder(fs: MoveFs, path: string): Promise<boolean> {
  try {
    await fs.mkdir(path);
    return true;
  } catch (error) {
    if (fsErrorCode(error) === 'EEXIST') return false;
    throw error;
  }
}
