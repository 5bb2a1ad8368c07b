/**
 * What OpenWorker needs from a Linux system, and the Debian packages that bring it. Names that differ between
 * releases are listed newest first.
 * @typedef {{ library: string } | { command: string } | { folder: string }} Check
 * @typedef {{ check: Check, debian: string[] }} Need
 */

/** @type {Need[]} */
export const appNeeds = [
  { check: { library: 'libgtk-3.so.0' }, debian: ['libgtk-3-0t64', 'libgtk-3-0'] },
  { check: { library: 'libnss3.so' }, debian: ['libnss3'] },
  { check: { library: 'libgbm.so.1' }, debian: ['libgbm1'] },
  { check: { library: 'libasound.so.2' }, debian: ['libasound2t64', 'libasound2'] },
];

/** @type {Need[]} only where there is no display */
export const virtualDisplayNeeds = [
  { check: { command: 'Xvfb' }, debian: ['xvfb'] },
  { check: { command: 'xauth' }, debian: ['xauth'] },
];

/** @type {Need[]} */
export const testNeeds = [
  ...virtualDisplayNeeds,
  { check: { command: 'dbus-run-session' }, debian: ['dbus'] },
  { check: { command: 'dbus-launch' }, debian: ['dbus-x11'] },
  { check: { command: 'dunst' }, debian: ['dunst'] },
  { check: { command: 'openbox' }, debian: ['openbox'] },
  { check: { command: 'gnome-keyring-daemon' }, debian: ['gnome-keyring'] },
  { check: { library: 'libsecret-1.so.0' }, debian: ['libsecret-1-0'] },
  { check: { command: 'bwrap' }, debian: ['bubblewrap'] },
  { check: { command: 'socat' }, debian: ['socat'] },
  { check: { command: 'strace' }, debian: ['strace'] },
  { check: { folder: '/usr/share/fonts/truetype/dejavu' }, debian: ['fonts-dejavu-core'] },
  { check: { folder: '/usr/share/fonts/opentype/inter' }, debian: ['fonts-inter'] },
  { check: { folder: '/usr/share/fonts/truetype/noto' }, debian: ['fonts-noto-core'] },
];
