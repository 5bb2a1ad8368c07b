import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { RevealTarget } from '../../src-preload/contract';
import type { Words } from './words';

/** The application menu; `reveal` sends a wish to the window. */
export function installMenu(words: Words, packaged: boolean, reveal: (target: RevealTarget) => void): void {
  const mac = process.platform === 'darwin';
  const item = (label: string, accelerator: string, target: RevealTarget): MenuItemConstructorOptions => ({
    label,
    accelerator,
    click: () => reveal(target),
  });
  const template: MenuItemConstructorOptions[] = [
    ...(mac ? [{ role: 'appMenu' as const }] : []),
    {
      label: words.file,
      submenu: [
        item(words.newSession, 'CmdOrCtrl+N', { type: 'new_session' }),
        item(words.settings, 'CmdOrCtrl+,', { type: 'settings' }),
        { type: 'separator' },
        mac ? { role: 'close' } : { role: 'quit' },
      ],
    },
    {
      label: words.edit,
      submenu: [
        { role: 'undo' },
        { role: 'redo' },
        { type: 'separator' },
        { role: 'cut' },
        { role: 'copy' },
        { role: 'paste' },
        { role: 'selectAll' },
        { type: 'separator' },
        item(words.find, 'CmdOrCtrl+F', { type: 'find' }),
      ],
    },
    {
      label: words.view,
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
        ...(packaged ? [] : [{ type: 'separator' as const }, { role: 'toggleDevTools' as const }]),
      ],
    },
    { role: 'windowMenu', label: words.window },
    {
      role: 'help',
      label: words.help,
      submenu: [item(words.shortcuts, 'CmdOrCtrl+/', { type: 'shortcuts' })],
    },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
