// What inserting a result costs in this host, storage in memory: a JSON line a case, with the
// median of its samples.
import { load, MemoryStorage, MemoryTree } from 'waybread';

/** @import { Outcome } from 'waybread' */

const SAMPLES = 1000;
const WARM_UP = 1000;

const output = cut((n) => `line ${n}: some command output here\n`, 37_000);
const file = cut((n) => `${n}: const value_${n} = compute(${n});\n`, 74_000);
const before = numbered((n) => `line ${n} of the file\n`);
const after = numbered((n) => `line ${n} of the ${n.endsWith('0') ? 'new ' : ''}file\n`);

/**
 * Lines counted up from 1 until the text has so many bytes.
 * @param {(n: string) => string} line
 * @param {number} length
 */
function cut(line, length) {
  let text = '';
  for (let n = 1; text.length < length; n += 1) text += line(String(n));
  return text.slice(0, length);
}

/** @param {(n: string) => string} line */
function numbered(line) {
  return Array.from({ length: 2000 }, (_, index) => line(String(index + 1))).join('');
}

/** @type {Record<string, (tree: MemoryTree, round: number) => Outcome>} */
const cases = {
  '1-line': () => ({ output: 'ok' }),
  '37 KB output': () => ({ output }),
  '74 KB read': (tree, round) => {
    // Another file each time, so that it is never a stub.
    tree.write('/work/app/a.ts', `${file}${String(round)}\n`);
    return { read: { path: 'a.ts' } };
  },
  '2,000-line diff': () => ({ changes: { files: [{ path: 'a.ts', before, after }] } }),
};

const waybread = await load();
for (const [name, prepare] of Object.entries(cases)) {
  const tree = new MemoryTree();
  const hosts = { storage: new MemoryStorage(), filesystem: tree };
  const session = waybread.open('bench', { root: '/work/app' }, hosts);
  /** @type {number[]} */
  const samples = [];
  for (let round = 0; round < WARM_UP + SAMPLES; round += 1) {
    const outcome = prepare(tree, round);
    const call = { id: `call-${String(round)}`, name: 'tool', arguments: '{}' };
    const began = process.hrtime.bigint();
    session.insertResult(call, outcome);
    const took = Number(process.hrtime.bigint() - began);
    if (round >= WARM_UP) samples.push(took);
  }
  samples.sort((a, b) => a - b);
  const nanoseconds = samples[SAMPLES >> 1];
  console.log(JSON.stringify({ host: 'js', case: name, nanoseconds }));
}
