/** A failure whose message alone tells the person what happened and what to do: no stack is printed. */
export class SetupError extends Error {
  /** @override */
  name = 'SetupError';
}

/** @param {string} text one line about what goes on */
export function say(text) {
  process.stdout.write(`${text}\n`);
}

/**
 * Runs a script's main function; a failure becomes a message and exit code 1.
 * @param {() => Promise<void>} main
 */
export async function runScript(main) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
