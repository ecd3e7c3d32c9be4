// This host's part in the relay: a session in an SQLite file that the hosts carry on in turn.
//
//     node test/relay.mjs DATABASE
//
// Recalls every result that it finds in the session `relay`, inserts some of its own, and prints
// one line for each.
import { MemoryTree, Session, WaybreadError } from 'waybread';
import { SqliteStorage } from 'waybread/sqlite';

/** @import { Inserted, Outcome } from 'waybread' */

/**
 * The ids of all results that are stored.
 *
 * @param {Session} session
 */
function idsIn(session) {
  /** @type {string[]} */
  const ids = [];
  for (let number = 1; ; number += 1) {
    const id = `#${number.toString(16).padStart(4, '0')}`;
    try {
      session.storedText(id);
    } catch (error) {
      if (error instanceof WaybreadError && error.code === 'unknown-id') return ids;
      throw error;
    }
    ids.push(id);
  }
}

/**
 * @param {string} what
 * @param {string} id
 * @param {Inserted} answer
 */
function print(what, id, answer) {
  console.log(what, id, JSON.stringify(answer.text));
}

/** @param {string} database */
async function relay(database) {
  const storage = new SqliteStorage(database);
  const filesystem = new MemoryTree({ '/work/app/js.txt': 'one\r\ntwo\0\n😀' });
  const session = await Session.open('relay', { root: '/work/app' }, { storage, filesystem });
  const ids = idsIn(session);
  const turn = `js-${String(ids.length)}`;
  for (const id of ids) {
    const call = { id: `${turn}-recall-${id}`, name: 'recall', arguments: JSON.stringify({ id }) };
    print('recalled', id, session.recall(call, id));
  }
  /** @type {Record<string, Outcome>} */
  const own = {
    read: { read: { path: 'js.txt' } },
    edit: {
      changes: {
        files: [{ path: 'js.txt', before: 'one\n', after: 'two\n' }],
        note: 'from JavaScript',
      },
    },
    bash: { output: 'NUL \0, ä, 😀\n'.repeat(500) },
    grep: { failure: 'no such pattern' },
  };
  for (const [name, outcome] of Object.entries(own)) {
    const answer = session.insertResult({ id: `${turn}-${name}`, name, arguments: '{}' }, outcome);
    print('inserted', answer.id, answer);
  }
  storage.close();
}

const [database] = process.argv.slice(2);
if (database === undefined) throw new Error('give the database');
await relay(database);
