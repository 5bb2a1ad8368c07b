import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Runs a command inside the desktop that the end-to-end tests expect: an unlocked keyring, a window manager and a
 * notification daemon. It is itself run by dbus-run-session, with a display and a throw-away HOME.
 * usage: node scripts/lib/desktop-session.mjs COMMAND ARGS...
 */
const [command = '', ...args] = process.argv.slice(2);

const helpers = [
  start('gnome-keyring-daemon', ['--foreground', '--unlock', '--components=secrets'], 'password'),
  start('openbox', []),
  start('dunst', []),
];
await delay(1000);
const child = spawn(command, args, { stdio: 'inherit' });
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.on(signal, () => child.kill(signal));
process.exitCode = await new Promise((resolve) => {
  child.on('error', (error) => {
    process.stderr.write(`${command} could not be started: ${error.message}\n`);
    resolve(1);
  });
  child.on('close', (code) => resolve(code ?? 1));
});
for (const helper of helpers) helper.kill('SIGTERM');

/**
 * @param {string} program
 * @param {string[]} options
 * @param {string} [input]
 */
function start(program, options, input) {
  const helper = spawn(program, options, { stdio: ['pipe', 'ignore', 'ignore'] });
  helper.on('error', (error) => process.stderr.write(`${program} could not be started: ${error.message}\n`));
  helper.stdin.on('error', () => {});
  helper.stdin.end(input ?? '');
  return helper;
}
