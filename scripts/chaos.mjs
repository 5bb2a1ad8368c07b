// Crash runs: plays scenarios on a real core in a process of its own, kills it, and checks what is left.
// See --help, and src-main/harness/testing/chaos.
import { loadChaos } from './lib/chaos-bundle.mjs';

const { runChaos } = await loadChaos();
try {
  process.exitCode = await runChaos(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
