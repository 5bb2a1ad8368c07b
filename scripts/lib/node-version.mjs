import { SetupError } from './report.mjs';

/** What this repository runs on, and what Electron's own download asks for. */
export const minimumNode = '20.19.0';
export const downloadNode = '22.12.0';

/**
 * @param {string} version
 * @param {string} minimum
 */
export function isAtLeast(version, minimum) {
  const [have, want] = [version, minimum].map((text) => text.replace(/^v/, '').split('.').map(Number));
  for (const [index, part] of (want ?? []).entries()) {
    const difference = (have?.[index] ?? 0) - part;
    if (difference !== 0) return difference > 0;
  }
  return true;
}

/** @throws {SetupError} when this Node is too old for anything here */
export function assertNode() {
  if (isAtLeast(process.version, minimumNode)) return;
  throw new SetupError(
    `Node ${process.version} is too old: OpenWorker needs Node ${minimumNode} or newer ` +
      `(${downloadNode} where Electron itself is downloaded). Get it from https://nodejs.org and run the command again.`,
  );
}
