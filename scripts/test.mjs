import { bootstrap } from './bootstrap.mjs';
import { runScript, say, SetupError } from './lib/report.mjs';

/** usage: npm test [-- --only NAME,NAME] */
await runScript(async () => {
  /** @type {{ name: string, counts: import('./lib/counts.mjs').Counts, seconds: number }[]} */
  const results = [];
  try {
    await runChecks(results);
  } catch (error) {
    say(`\n${error instanceof Error ? error.message : error}`);
    results.push({ name: 'set-up', counts: { passed: 0, failed: 1, skipped: 0 }, seconds: 0 });
  }
  printSummary(results);
});

/** @param {{ name: string, counts: import('./lib/counts.mjs').Counts, seconds: number }[]} results */
async function runChecks(results) {
  await bootstrap({ electron: false });
  const { checks } = await import('./lib/checks.mjs');
  const chosen = choose(checks);
  const electron = await bootstrap({ tests: true, electron: chosen.some((check) => check.needsElectron) });
  if (electron) say(`Electron ${electron.version} (${electron.origin})`);
  /** @type {import('./lib/checks.mjs').Context} */
  const context = { electron, built: false, packagedApp: undefined };
  for (const check of chosen) {
    say(`\n── ${check.name}: ${check.what}`);
    const started = Date.now();
    const counts = await check.run(context).catch((/** @type {unknown} */ error) => {
      say(error instanceof Error ? error.message : String(error));
      return { passed: 0, failed: 1, skipped: 0 };
    });
    results.push({ name: check.name, counts, seconds: (Date.now() - started) / 1000 });
  }
}

/**
 * @param {import('./lib/checks.mjs').Check[]} checks
 */
function choose(checks) {
  const at = process.argv.indexOf('--only');
  if (at < 0) return checks;
  const wanted = (process.argv[at + 1] ?? '').split(',');
  const names = checks.map((check) => check.name);
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw new SetupError(
      `--only knows no check "${unknown.join(', ')}". The checks are: ${names.join(', ')}.`,
    );
  }
  return checks.filter((check) => wanted.includes(check.name));
}

/** @param {{ name: string, counts: import('./lib/counts.mjs').Counts, seconds: number }[]} results */
function printSummary(results) {
  say('\nSummary');
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const { name, counts, seconds } of results) {
    const verdict = counts.failed === 0 ? 'ok  ' : 'FAIL';
    say(`  ${verdict} ${name.padEnd(12)} ${words(counts)}  (${seconds.toFixed(1)} s)`);
    total.passed += counts.passed;
    total.failed += counts.failed;
    total.skipped += counts.skipped;
  }
  if (total.failed > 0) process.exitCode = 1;
  say(words(total));
}

/** @param {import('./lib/counts.mjs').Counts} counts */
function words(counts) {
  return `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`;
}
