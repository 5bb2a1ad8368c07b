import path from 'node:path';
import Database from 'libsql';

/**
 * One insert for each thing that has to last, for the floor and for runtimes that bring no store of their own. A `FULL`
 * store answers when the disk has it, a `NORMAL` one when the system has it.
 */
export function openStore(folder, synchronous = 'NORMAL') {
  const db = new Database(path.join(folder, 'state.db'));
  db.pragma('journal_mode = WAL');
  db.pragma(`synchronous = ${synchronous}`);
  db.exec('CREATE TABLE IF NOT EXISTS journal (seq INTEGER PRIMARY KEY, body TEXT NOT NULL)');
  const insert = db.prepare('INSERT INTO journal (body) VALUES (?)');
  const insertAll = db.transaction((values) => {
    for (const value of values) insert.run(JSON.stringify(value));
  });
  return {
    append: (value) => void insert.run(JSON.stringify(value)),
    /** All in one transaction. */
    appendAll: (values) => insertAll(values),
    close: () => db.close(),
  };
}
