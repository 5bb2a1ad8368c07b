import fs from 'node:fs';
import path from 'node:path';

/** Where a run writes: all of it below `out/`, fresh folders for every measurement, logs by name. */
export function openPlace() {
  const out = path.join(import.meta.dirname, '..', 'out');
  const folders = path.join(out, `folders-${process.pid}`);
  fs.mkdirSync(folders, { recursive: true });
  return {
    results: path.join(out, 'results.jsonl'),
    profiles: path.join(out, 'profiles'),
    log: (name) => path.join(out, 'logs', `${name}.log`),
    folder(name) {
      const folder = path.join(folders, name);
      fs.rmSync(folder, { recursive: true, force: true });
      fs.mkdirSync(folder);
      return folder;
    },
    close: () => fs.rmSync(folders, { recursive: true, force: true }),
  };
}
