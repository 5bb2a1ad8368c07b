import { clipboard, dialog, shell, type BrowserWindow } from 'electron';
import type { PendingAttachments } from '../app/attachments';
import { openExternalLink } from '../app/external-links';
import type { Words } from '../app/words';
import type { AttachmentAdded } from '../../src-preload/contract';
import { fail, ok, type Failure, type Harness, type Json } from '../harness';
import type { CommandHandlers } from './dispatch';

type HostCommandNames =
  | 'attachment.add'
  | 'attachment.pick'
  | 'attachment.restore'
  | 'workspace.pick'
  | 'link.open'
  | 'clipboard.write'
  | 'setting.set'
  | 'servers.reveal_file'
  | 'server.accept'
  | 'server.restart'
  | 'server.classify'
  | 'grant.revoke'
  | 'journal.accept_loss';

export interface HostCommandDeps {
  readonly harness: Harness;
  readonly window: () => BrowserWindow | null;
  readonly words: () => Words;
  readonly attachments: PendingAttachments;
  readonly rememberFolder: (folder: string) => void;
  /** Aborted when the app quits. */
  readonly signal: AbortSignal;
}

const noWindow = fail('internal', 'The window is closing.');

/** Commands that need the desktop: dialogs, clipboard, the system's browser. */
export function hostCommands(deps: HostCommandDeps): Pick<CommandHandlers, HostCommandNames> {
  const { harness, attachments, signal } = deps;
  return {
    'attachment.add': ({ name, media_type, base64 }) =>
      attachments.add({ name, media_type, bytes: new Uint8Array(Buffer.from(base64, 'base64')) }),
    async 'attachment.pick'() {
      const window = deps.window();
      if (!window) return noWindow;
      const picked = await dialog.showOpenDialog(window, {
        title: deps.words().chooseFiles,
        properties: ['openFile', 'multiSelections'],
      });
      const added: AttachmentAdded[] = [];
      const refused: Failure[] = [];
      for (const path of picked.filePaths) {
        const file = await attachments.addPath(path);
        if (file.ok) added.push(file.value);
        else refused.push(file.error);
      }
      return ok({ attachments: added, refused });
    },
    'attachment.restore'({ session_id, digest, name }) {
      const file = harness.sessions.attachment(session_id, digest);
      if (!file.ok) return file;
      const { media_type, bytes } = file.value;
      return attachments.add({ name, media_type, bytes });
    },
    async 'workspace.pick'() {
      const window = deps.window();
      if (!window) return noWindow;
      const picked = await dialog.showOpenDialog(window, {
        title: deps.words().chooseFolder,
        properties: ['openDirectory', 'createDirectory'],
      });
      const path = picked.filePaths[0] ?? null;
      if (path !== null) deps.rememberFolder(path);
      return ok({ path });
    },
    'link.open'({ url }) {
      const window = deps.window();
      return window ? openExternalLink(window, deps.words(), url) : noWindow;
    },
    async 'clipboard.write'({ text }) {
      // A promise on newer versions of Electron only.
      await Promise.resolve(clipboard.writeText(text));
      return ok(null);
    },
    'setting.set': ({ key, value }) => harness.settings.set(key, (value ?? null) as Json),
    'servers.reveal_file'() {
      if (harness.servers.file === null) return fail('not_found', 'This run has no servers.json.');
      shell.showItemInFolder(harness.servers.file);
      return ok(null);
    },
    'server.accept': ({ name, digest }) => harness.servers.accept(name, digest),
    'server.restart': ({ name }) => harness.servers.restart(name, signal),
    'server.classify': ({ tools }) => harness.servers.classify(tools),
    'grant.revoke': ({ grant_id }) => harness.grants.revoke(grant_id),
    'journal.accept_loss': () => harness.journal.acceptLoss(),
  };
}
