import { buildApp } from './lib/bundle.mjs';
import { runScript } from './lib/report.mjs';

await runScript(async () => {
  const result = await buildApp({ force: process.argv.includes('--force') });
  console.log(result === 'built' ? 'Built into out/.' : 'out/ is up to date.');
});
