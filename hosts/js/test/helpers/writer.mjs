// A process that inserts results into an SQLite file and prints the id of each that is stored:
//
//     node writer.mjs DATABASE SESSION [COUNT]
//
// Without a count it goes on until it is killed.
import { MemoryTree, Session } from 'waybread';
import { SqliteStorage } from 'waybread/sqlite';
import { writeSync } from 'node:fs';

const [database = '', key = '', count = 'Infinity'] = process.argv.slice(2);
const hosts = { storage: new SqliteStorage(database), filesystem: new MemoryTree() };
const session = await Session.open(key, { root: '/work/app' }, hosts);
for (let n = 0; n < Number(count); n += 1) {
  const output = `result ${String(n)} of ${key}\n`.repeat(500);
  const { id } = session.insertResult({ id: String(n), name: 'bash', arguments: '{}' }, { output });
  writeSync(1, `${id}\n`);
}
