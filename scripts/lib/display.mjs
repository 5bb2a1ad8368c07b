import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { SetupError } from './report.mjs';

/** Whether windows have nowhere to appear: Linux without X and without Wayland. */
export const needsVirtualDisplay = () =>
  process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY;

/**
 * @typedef {object} Display
 * @property {{ DISPLAY: string, XAUTHORITY: string }} env
 * @property {() => Promise<void>} close ends the server and removes its cookie
 */

/**
 * Starts an X server without a screen. The caller closes it; it ends with this process too.
 * @param {{ size?: string, uid?: number, gid?: number }} [options] uid and gid: whose server it is
 * @returns {Promise<Display>}
 */
export async function openVirtualDisplay(options = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'openworker-x-'));
  const cookieFile = path.join(folder, 'Xauthority');
  fs.writeFileSync(cookieFile, cookieEntry(), { mode: 0o600 });
  const user = options.uid === undefined ? {} : { uid: options.uid, gid: options.gid };
  if (options.uid !== undefined && options.gid !== undefined) {
    for (const name of [folder, cookieFile]) fs.chownSync(name, options.uid, options.gid);
  }
  const screen = ['-screen', '0', `${options.size ?? '1680x1050'}x24`];
  const args = ['-displayfd', '3', '-auth', cookieFile, '-nolisten', 'tcp', ...screen];
  const server = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'], ...user });
  const stop = () => server.kill('SIGTERM');
  process.once('exit', stop);
  const close = async () => {
    process.off('exit', stop);
    const ended = server.exitCode ?? server.signalCode ?? new Promise((done) => server.once('exit', done));
    stop();
    await ended;
    fs.rmSync(folder, { recursive: true, force: true });
  };
  try {
    const number = await displayNumber(server);
    return { env: { DISPLAY: `:${number}`, XAUTHORITY: cookieFile }, close };
  } catch (error) {
    fs.rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** @param {import('node:child_process').ChildProcess} server @returns {Promise<number>} */
function displayNumber(server) {
  return new Promise((resolve, reject) => {
    const fail = (/** @type {string} */ why) => reject(new SetupError(`Xvfb did not start: ${why}.`));
    const timer = setTimeout(() => {
      server.kill('SIGKILL');
      fail('no answer in 15 s');
    }, 15_000);
    let text = '';
    server.stdio[3]?.on('data', (data) => {
      text += data;
      if (!text.includes('\n')) return;
      clearTimeout(timer);
      resolve(Number(text));
    });
    server.once('error', (error) => (clearTimeout(timer), fail(error.message)));
    server.once('exit', (code) => (clearTimeout(timer), fail(`exit code ${code}`)));
  });
}

/** One entry of an Xauthority file that is good for whatever display number the server picks. */
function cookieEntry() {
  const anyHost = Buffer.from([0xff, 0xff]);
  const field = (/** @type {Buffer} */ data) =>
    Buffer.concat([Buffer.from([data.length >> 8, data.length & 0xff]), data]);
  const empty = Buffer.alloc(0);
  const fields = [empty, empty, Buffer.from('MIT-MAGIC-COOKIE-1'), randomBytes(16)];
  return Buffer.concat([anyHost, ...fields.map(field)]);
}
