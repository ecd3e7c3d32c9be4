// What a step of an agent takes in this host, early in a session and late, storage in memory: the
// model's reply with a call, its result of 2 KB, and the next request. Beside it, what it takes to write
// the whole body again at that length, which is what a step costs without Waybread. A JSON line a case,
// with the median of its samples.
import { load, MemoryStorage, MemoryTree } from 'waybread';

/** @import { Session, Waybread } from 'waybread' */

const POSITIONS = [100, 10_000];
/** Steps on each side of a position that are measured. */
const AROUND = 100;
const REBUILDS = 20;
/** Steps of another session, so that the engine has compiled what is measured. */
const WARM_UP = 10_000;

const RESULT = 'line of a command\'s output, with "quotes" in it\n'.repeat(50).slice(0, 2048);
const PARAMETERS = '{"model":"bench"}';

/**
 * @param {Session} session
 * @param {number} number
 */
function step(session, number) {
  const call = `{"id":"call-${String(number)}","type":"function","function":{"name":"bash","arguments":"{\\"command\\":\\"make\\"}"}}`;
  const json = `{"role":"assistant","content":null,"tool_calls":[${call}]}`;
  const { calls } = session.addMessage({ reply: { json } });
  for (const open of calls) session.insertResult(open.call, { output: RESULT });
  return session.buildRequest(PARAMETERS);
}

/** @param {() => unknown} work */
function timed(work) {
  const began = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - began);
}

/** @param {number[]} samples */
function median(samples) {
  return samples.sort((a, b) => a - b)[samples.length >> 1];
}

/**
 * Writes a body again from its objects.
 *
 * @param {string} body
 */
function rebuilds(body) {
  /** @type {unknown} */
  const whole = JSON.parse(body);
  if (JSON.stringify(whole) !== body) throw new Error('the body is not what is written again');
  return Array.from({ length: REBUILDS }, () => timed(() => JSON.stringify(whole)));
}

/**
 * @param {string} name
 * @param {number} position
 * @param {number[]} samples
 */
function print(name, position, samples) {
  const measured = `${name} ${position.toLocaleString('en')}`;
  console.log(JSON.stringify({ host: 'js', case: measured, nanoseconds: median(samples) }));
}

/** @param {Waybread} waybread */
function begin(waybread) {
  const hosts = { storage: new MemoryStorage(), filesystem: new MemoryTree() };
  const session = waybread.open('bench', { root: '/work/app', dialect: 'openai-chat' }, hosts);
  session.addMessage({ user: { text: 'Make it work.' } });
  return session;
}

const waybread = await load();
const other = begin(waybread);
for (let number = 0; number < WARM_UP; number += 1) step(other, number);

const ages = POSITIONS.map((position) => {
  const session = begin(waybread);
  let done = 0;
  while (done < position - AROUND) step(session, done++);
  /** @type {number[]} */
  const samples = [];
  return { position, session, samples, next: () => step(session, done++) };
});
// In turn, so that the ratio of late and early holds whatever else the machine does.
for (let round = 0; round < 2 * AROUND; round += 1) {
  for (const { samples, next } of ages) samples.push(timed(next));
}
for (const { position, session, samples } of ages) {
  print('step', position, samples);
  print('rebuild', position, rebuilds(session.buildRequest(PARAMETERS).body));
}
