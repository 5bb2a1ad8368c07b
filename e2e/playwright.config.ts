import path from 'node:path';
import { defineConfig } from '@playwright/test';

const artifacts =
  process.env['OPENWORKER_TEST_ARTIFACTS'] ?? path.join(import.meta.dirname, '..', 'artifacts', 'e2e');

export default defineConfig({
  testDir: '.',
  outputDir: path.join(artifacts, 'results'),
  // Windows wait for one another, since only one can have the focus; the command line runs beside them.
  workers: 2,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env['CI']),
  reporter: process.env['PLAYWRIGHT_JSON_OUTPUT_NAME'] ? [['list'], ['json']] : [['list']],
  projects: [
    {
      name: 'app',
      testMatch: '**/*.spec.ts',
      testIgnore: ['**/*.sandbox.spec.ts', '**/headless*.spec.ts'],
      workers: 1,
    },
    { name: 'command-line', testMatch: '**/headless*.spec.ts', workers: 1 },
    // Chromium's sandbox on: needs an ordinary user, `npm test` sees to it.
    { name: 'sandbox', testMatch: '**/*.sandbox.spec.ts', workers: 1 },
  ],
});
