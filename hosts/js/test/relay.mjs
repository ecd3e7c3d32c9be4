// This host's part in the relay: a session in an SQLite file that the hosts carry on in turn.
//
//     node test/relay.mjs DATABASE
//
// Recalls every result that it finds in the session `relay`, inserts some of its own, and prints
// one line for each. Then carries on the conversation `relay-conversation`, and prints the hash of the
// request that it found, which the host before has sent, and of the one that it sends.
import { createHash } from 'node:crypto';
import { MemoryTree, Session, WaybreadError } from 'waybread';
import { SqliteStorage } from 'waybread/sqlite';

/** @import { Hosts, Inserted, Outcome } from 'waybread' */

const LONG = 'NUL \0, ä, 😀\n'.repeat(500);

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

/** @param {Hosts} hosts */
async function results(hosts) {
  const session = await Session.open('relay', { root: '/work/app' }, hosts);
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
    bash: { output: LONG },
    grep: { failure: 'no such pattern' },
  };
  for (const [name, outcome] of Object.entries(own)) {
    const answer = session.insertResult({ id: `${turn}-${name}`, name, arguments: '{}' }, outcome);
    print('inserted', answer.id, answer);
  }
}

/** @param {Hosts} hosts */
async function conversation(hosts) {
  const settings = { root: '/work/app', dialect: /** @type {const} */ ('openai-chat') };
  const session = await Session.open('relay-conversation', settings, hosts);
  const { length } = session.conversation();
  if (length > 0) console.log('carried', hashOfNext(session));
  session.addMessage({ user: { text: 'js asks', date: '2026-11-30' } });
  const { calls } = session.addMessage({ reply: { json: replyOf(`js-${String(length)}`) } });
  for (const { call } of calls) session.insertResult(call, { output: LONG });
  console.log('sent', hashOfNext(session));
}

/**
 * A reply that calls a tool, as a provider would write it.
 *
 * @param {string} id
 */
function replyOf(id) {
  const call = `{"id":"${id}","type":"function","function":{"name":"bash","arguments":"{}"}}`;
  return `{"role":"assistant","content":null,"reasoning_content":"js thinks","tool_calls":[${call}]}`;
}

/**
 * The hash of the next request, which must be that of its body.
 *
 * @param {Session} session
 */
function hashOfNext(session) {
  const { body, sha256 } = session.buildRequest('{"model":"relay"}');
  const found = createHash('sha256').update(body).digest('hex');
  if (found !== sha256) throw new Error(`the body has the hash ${found}, not ${sha256}`);
  return sha256;
}

const [database] = process.argv.slice(2);
if (database === undefined) throw new Error('give the database');
const storage = new SqliteStorage(database);
const filesystem = new MemoryTree({ '/work/app/js.txt': 'one\r\ntwo\0\n😀' });
await results({ storage, filesystem });
await conversation({ storage, filesystem });
storage.close();
