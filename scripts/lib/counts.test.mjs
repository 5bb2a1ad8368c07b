import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { playwrightCounts, vitestCounts } from './counts.mjs';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counts-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** @param {unknown} content */
function report(content) {
  const file = path.join(folder, 'report.json');
  fs.writeFileSync(file, JSON.stringify(content));
  return file;
}

const vitest = { numPassedTests: 4, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1, testResults: [] };

test('adds up what Vitest reports', () => {
  expect(vitestCounts(report(vitest), 1)).toEqual({ passed: 4, failed: 1, skipped: 3 });
});

test('a test file that did not load is a failure', () => {
  const testResults = [{ status: 'failed', assertionResults: [] }];
  expect(vitestCounts(report({ ...vitest, testResults }), 1).failed).toBe(2);
});

test('a bad end without a failed test is a failure', () => {
  expect(vitestCounts(report({ ...vitest, numFailedTests: 0 }), 1).failed).toBe(1);
});

test('no test at all is a failure', () => {
  expect(
    playwrightCounts(report({ stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0 } }), 0).failed,
  ).toBe(1);
});

test('a flaky test of Playwright is a failure', () => {
  const stats = { expected: 3, unexpected: 1, flaky: 1, skipped: 2 };
  expect(playwrightCounts(report({ stats }), 1)).toEqual({ passed: 3, failed: 2, skipped: 2 });
});

test('a report that was not written is a failure', () => {
  expect(playwrightCounts(path.join(folder, 'none.json'), 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});
