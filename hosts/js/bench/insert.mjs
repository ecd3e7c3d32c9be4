// What inserting a result costs in this host, storage in memory: a JSON line a case, with the
// median of its samples.
import { load, MemoryStorage, MemoryTree } from 'waybread';

/** @import { Outcome } from 'waybread' */

const SAMPLES = 1000;
const WARM_UP = 1000;

const output = numbered(1000, (n) => `line ${n}: some command output here\n`).slice(0, 37_000);
const before = numbered(2000, (n) => `line ${n} of the file\n`);
const after = before.replaceAll(/^line (\d*0) of the file$/gm, 'line $1 of the file, changed');

/**
 * @param {number} count
 * @param {(n: string) => string} line
 */
function numbered(count, line) {
  return Array.from({ length: count }, (_, index) => line(String(index + 1))).join('');
}

/** A file of 74,000 bytes, and whole lines. */
function source() {
  let text = '';
  for (let n = 1; text.length < 74_000; n += 1) {
    text += `${String(n)}: const value_${String(n)} = compute(${String(n)});\n`;
  }
  return text;
}

const file = source();

/** @type {Record<string, (tree: MemoryTree, round: number) => Outcome>} */
const cases = {
  '1-line': () => ({ output: 'ok' }),
  '37KB output': () => ({ output }),
  '74KB read': (tree, round) => {
    // Another file each time, so that it is never a stub.
    tree.write('/work/app/a.ts', `${file}round ${String(round)}\n`);
    return { read: { path: 'a.ts' } };
  },
  '2000-line diff': () => ({ changes: { files: [{ path: 'a.ts', before, after }] } }),
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
