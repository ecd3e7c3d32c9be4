/** What a replay is given that is of the wrong kind, by a caller without types. */
import { describe, expect, it } from 'vitest';
import { MemoryStorage } from '../src/index.js';
import { replay } from '../src/replay.js';

const FILE = { name: 'a.json', content: '{}' };

const given: [string, string, unknown, unknown?][] = [
  ['recordings', '"x.jsonl", not an array or another iterable', 'x.jsonl'],
  ['recordings', 'iterable of `{ name, content }`', FILE],
  ['recordings', 'missing', undefined],
  ['recordings', 'null', null],
  ['recordings[0]', '"x.jsonl", not an object `{ name, content }`', ['x.jsonl']],
  ['recordings[1]', 'missing', [FILE, undefined]],
  ['recordings[0].contents', '`name`, `content` and `error`', [{ name: 'a', contents: '{}' }]],
  ['recordings[0].name', 'of type number', [{ ...FILE, name: 1 }]],
  ['recordings[0].content', 'missing, not a string', [{ name: 'a' }]],
  ['recordings[0].content', 'a Uint8Array, not a string', [{ ...FILE, content: Buffer.from('') }]],
  ['recordings[1].content', 'of type object', [FILE, { ...FILE, content: {} }]],
  ['recordings[0].error', '"gone", not an object', [{ name: 'a', error: 'gone' }]],
  ['recordings[0].error.message', 'missing', [{ name: 'a', error: { line: 1 } }]],
  ['recordings[0].error.line', 'is -1', [{ name: 'a', error: { line: -1, message: 'x' } }]],
  ['options', 'null', [], null],
  ['options', 'of type number', [], 4000],
  ['options.windw', 'is unknown: `options` has `shellReads`, `window`', [], { windw: 1 }],
  ['options.window', '"4000", not a number', [], { window: '4000' }],
  ['options.window', 'null, not a number', [], { window: null }],
  ['options.shellReads', 'of type number', [], { shellReads: 1 }],
  ['options.storage', '"kept", not an object', [], { storage: 'kept' }],
  ['options.storage', 'has no method `readText`', [], { storage: { append, readLog: append } }],
  ['options.onSession', 'of type object, not a function', [], { onSession: {} }],
];

function append(): void {
  throw new Error('nothing is stored');
}

describe('what is of the wrong kind is named', () => {
  it.each(given)('%s: %s', async (argument, problem, recordings, options) => {
    await expect(replay(recordings as never, options as never)).rejects.toMatchObject({
      name: 'WaybreadError',
      detail: {
        code: 'invalid-argument',
        argument,
        problem: expect.stringContaining(problem) as string,
      },
    });
  });

  it('and what is left out as undefined is not', async () => {
    const options = { window: undefined, storage: new MemoryStorage(), onSession: undefined };
    const failed = { name: 'b.json', content: undefined, error: { message: 'gone' } } as never;
    const { report } = await replay(
      new Set([{ ...FILE, error: undefined } as never, failed]),
      options,
    );
    expect(report.failed_files.map(({ file }) => file)).toEqual(['a.json', 'b.json']);
    expect(report.failed_files[1]?.error).toEqual({ message: 'gone' });
  });
});
