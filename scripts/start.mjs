import { bootstrap } from './bootstrap.mjs';
import { needsVirtualDisplay, openVirtualDisplay } from './lib/display.mjs';
import { root } from './lib/paths.mjs';
import { runScript, say } from './lib/report.mjs';
import { isRoot, run } from './lib/run.mjs';

await runScript(async () => {
  const electron = await bootstrap();
  if (!electron) return;
  const { buildApp } = await import('./lib/bundle.mjs');
  if ((await buildApp()) === 'built') say('Built into out/.');
  const args = [root, ...process.argv.slice(2)];
  if (process.platform === 'linux' && isRoot()) {
    say("Running as root: Chromium's sandbox is off (--no-sandbox), because it does not start as root.");
    args.unshift('--no-sandbox');
  }
  const display = needsVirtualDisplay() ? await openVirtualDisplay() : undefined;
  if (display)
    say(`There is no display: the window opens in Xvfb at ${display.env.DISPLAY}, where nobody sees it.`);
  try {
    const env = { ...process.env, ...electron.env, ...display?.env };
    process.exitCode = await run(electron.executable, args, { env });
  } finally {
    await display?.close();
  }
});
