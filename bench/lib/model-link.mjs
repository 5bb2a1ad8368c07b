import { fork } from 'node:child_process';
import path from 'node:path';

/** Starts the model server and speaks with it. `close` ends it. */
export async function startModel() {
  const child = fork(path.join(import.meta.dirname, 'model-server.mjs'), [], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const waiting = new Map();
  const gone = new Promise((resolve) => child.once('exit', resolve));
  void gone.then((code) => {
    for (const { reject } of waiting.values()) reject(new Error(`The model server ended with ${code}.`));
  });
  const reply = (key) => new Promise((resolve, reject) => waiting.set(key, { resolve, reject }));
  child.on('message', ({ key, value }) => {
    waiting.get(key)?.resolve(value);
    waiting.delete(key);
  });
  const port = await reply('ready');
  let count = 0;
  const ask = (message) => {
    count += 1;
    const answer = reply(count);
    child.send({ ...message, key: count });
    return answer;
  };
  return {
    urlOf: (id) => `http://127.0.0.1:${port}/${id}/v1`,
    open: (id, rounds, parallel) => ask({ type: 'open', id, rounds, parallel }),
    report: (id) => ask({ type: 'close', id }),
    async close() {
      if (child.connected) child.disconnect();
      const late = setTimeout(() => child.kill('SIGKILL'), 3_000);
      await gone;
      clearTimeout(late);
    },
  };
}
