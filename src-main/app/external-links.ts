import { dialog, shell, type BrowserWindow } from 'electron';
import { fail, ok, type Result } from '../harness';
import { checkLink } from './links';
import type { Words } from './words';

/** Opens a checked link in the system's browser after the person saw its host and agreed. The only such place. */
export async function openExternalLink(
  window: BrowserWindow,
  words: Words,
  raw: string,
): Promise<Result<null>> {
  const link = checkLink(raw);
  if (!link.ok) return link;
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: words.openLink(link.value.target),
    detail: link.value.url,
    buttons: [words.open, words.cancel],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  if (response !== 0) return ok(null);
  try {
    await shell.openExternal(link.value.url);
    return ok(null);
  } catch {
    return fail(
      'invalid_input',
      `The system found no program for ${link.value.url}. Copy the address into your browser.`,
    );
  }
}
