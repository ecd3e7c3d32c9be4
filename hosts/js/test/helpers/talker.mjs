// A process that carries on a conversation in an SQLite file, and prints each request's hash when the
// request is stored:
//
//     node talker.mjs DATABASE SESSION
//
// It goes on until it is killed.
import { writeSync } from 'node:fs';
import { MemoryTree, Session } from 'waybread';
import { SqliteStorage } from 'waybread/sqlite';

const [database = '', key = ''] = process.argv.slice(2);
const hosts = { storage: new SqliteStorage(database), filesystem: new MemoryTree() };
const settings = { root: '/work/app', dialect: /** @type {const} */ ('openai-chat') };
const session = await Session.open(key, settings, hosts);
session.addMessage({ user: { text: 'Go on until you are killed.' } });
for (let n = 0; ; n += 1) {
  const tool = { name: 'bash', arguments: '{}' };
  const calls = [{ id: `call-${String(n)}`, type: 'function', function: tool }];
  const added = session.addMessage({ reply: { json: { content: null, tool_calls: calls } } });
  for (const { call } of added.calls) {
    session.insertResult(call, { output: `result ${String(n)}\n`.repeat(300) });
  }
  writeSync(1, `${session.buildRequest({ model: 'm' }).sha256}\n`);
}
