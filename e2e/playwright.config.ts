import path from 'node:path';
import { defineConfig } from '@playwright/test';

const artifacts =
  process.env['OPENWORKER_TEST_ARTIFACTS'] ?? path.join(import.meta.dirname, '..', 'artifacts', 'e2e');

export default defineConfig({
  testDir: '.',
  outputDir: path.join(artifacts, 'results'),
  // Each test starts an Electron of its own; two at once only make one another slow.
  workers: 1,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env['CI']),
  reporter: process.env['PLAYWRIGHT_JSON_OUTPUT_NAME'] ? [['list'], ['json']] : [['list']],
  projects: [
    { name: 'app', testMatch: '**/*.spec.ts', testIgnore: '**/*.sandbox.spec.ts' },
    // Chromium's sandbox on: needs an ordinary user, `npm test` sees to it.
    { name: 'sandbox', testMatch: '**/*.sandbox.spec.ts' },
  ],
});
