import fs from 'node:fs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/** @param {boolean} ok @returns {Counts} a check that is one thing */
export const single = (ok) => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 });

/** @param {Counts[]} all @returns {Counts} */
export function sum(all) {
  const add = (/** @type {keyof Counts} */ key) => all.reduce((total, counts) => total + counts[key], 0);
  return { passed: add('passed'), failed: add('failed'), skipped: add('skipped') };
}

/**
 * Reads vitest's JSON report. A file that failed as a whole (it did not load) counts as one failure.
 * @param {string} file
 * @param {number} exitCode
 * @returns {Counts}
 */
export function vitestCounts(file, exitCode) {
  const report = readReport(file);
  if (!report) return single(false);
  const unloaded = (report.testResults ?? []).filter(
    (/** @type {{ status: string, assertionResults: unknown[] }} */ result) =>
      result.status === 'failed' && result.assertionResults.length === 0,
  ).length;
  return settle(
    {
      passed: report.numPassedTests,
      failed: report.numFailedTests + unloaded,
      skipped: report.numPendingTests + report.numTodoTests,
    },
    exitCode,
  );
}

/**
 * Reads Playwright's JSON report. A test that passed on a second try counts as failed: there is no second try here.
 * @param {string} file
 * @param {number} exitCode
 * @returns {Counts}
 */
export function playwrightCounts(file, exitCode) {
  const stats = readReport(file)?.stats;
  if (!stats) return single(false);
  return settle(
    { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped },
    exitCode,
  );
}

/**
 * A runner that ends badly without a failed test, or that ran no test at all, has failed.
 * @param {Counts} counts
 * @param {number} exitCode
 * @returns {Counts}
 */
function settle(counts, exitCode) {
  const ranNothing = counts.passed + counts.failed + counts.skipped === 0;
  const unexplained = counts.failed === 0 && (exitCode !== 0 || ranNothing);
  return unexplained ? { ...counts, failed: 1 } : counts;
}

/** @param {string} file */
function readReport(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
