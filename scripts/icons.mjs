import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { ico, icns } from './icons/containers.mjs';
import { needsVirtualDisplay, openVirtualDisplay } from './lib/display.mjs';
import { inRoot } from './lib/paths.mjs';
import { runScript, say, SetupError } from './lib/report.mjs';
import { isRoot, run } from './lib/run.mjs';

const sizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024];
const icons = inRoot('assets', 'icons');

/** Draws every icon file from assets/icons/icon.svg. Run it after the drawing has changed. */
await runScript(async () => {
  const electron = await bootstrap();
  if (!electron) return;
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'openworker-icons-'));
  try {
    await render(electron, work);
    write((size) => fs.readFileSync(path.join(work, `${size}.png`)));
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
  say(`Icons written to ${icons}.`);
});

/**
 * @param {import('./lib/electron.mjs').Electron} electron
 * @param {string} work
 */
async function render(electron, work) {
  const display = needsVirtualDisplay() ? await openVirtualDisplay() : undefined;
  const options = [...(isRoot() ? ['--no-sandbox'] : []), `--user-data-dir=${path.join(work, 'profile')}`];
  const args = [...options, inRoot('scripts', 'icons', 'render.cjs')];
  try {
    const env = { ...process.env, ...display?.env };
    const code = await run(
      electron.executable,
      [...args, path.join(icons, 'icon.svg'), work, sizes.join(',')],
      { env },
    );
    if (code !== 0) throw new SetupError('Electron could not draw assets/icons/icon.svg.');
  } finally {
    await display?.close();
  }
}

/** @param {(size: number) => Buffer} png */
function write(png) {
  const pictures = (/** @type {number[]} */ wanted) => wanted.map((size) => ({ size, png: png(size) }));
  const linux = path.join(icons, 'linux');
  fs.rmSync(linux, { recursive: true, force: true });
  fs.mkdirSync(linux);
  for (const size of [16, 32, 48, 64, 128, 256, 512])
    fs.writeFileSync(path.join(linux, `${size}x${size}.png`), png(size));
  fs.writeFileSync(path.join(icons, 'icon.png'), png(512));
  fs.writeFileSync(path.join(icons, 'icon.ico'), ico(pictures([16, 24, 32, 48, 64, 128, 256])));
  fs.writeFileSync(path.join(icons, 'icon.icns'), icns(pictures([16, 32, 64, 128, 256, 512, 1024])));
}
