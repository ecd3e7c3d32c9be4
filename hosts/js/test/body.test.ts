/** Bodies put together from what is new are those that bytes would give. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Bodies } from '../src/body.js';

/** What a request says, for a body of which so many characters stand. */
interface Step {
  /** Where the new text begins, as a share of the characters of the body before. */
  readonly at: number;
  readonly tail: string;
}

// Characters of one to four bytes, and long texts, which the engine joins without copying.
const character = fc.constantFrom('a', '"', '\0', 'é', '߿', 'ࠀ', '␀', '\uffff', '😀', '\u{10ffff}');
const text = fc.string({ unit: character, maxLength: 40 });
const step: fc.Arbitrary<Step> = fc.record({
  at: fc.oneof(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: 0.9, max: 1, noNaN: true }),
  ),
  tail: fc.oneof(
    text,
    text.map((repeated) => repeated.repeat(20)),
  ),
});

function bytesOf(string: string): number {
  return Buffer.byteLength(string);
}

/** The bytes that stand, and those that follow. */
function naive(before: string, keep: number, tail: string): string {
  return Buffer.concat([Buffer.from(before).subarray(0, keep), Buffer.from(tail)]).toString();
}

/** The first characters of a text, as a share of them. */
function shareOf(whole: string, at: number): string {
  const characters = Array.from(whole);
  return characters.slice(0, Math.round(characters.length * at)).join('');
}

function performed(steps: readonly Step[]) {
  const bodies = new Bodies();
  const made: { body: string; expected: string }[] = [];
  let before = '';
  for (const [index, { at, tail }] of steps.entries()) {
    const keep = bytesOf(shareOf(before, at));
    const length = keep + bytesOf(tail);
    const expected = naive(before, keep, tail);
    made.push({ body: bodies.next({ number: index + 1, keep, tail, length }), expected });
    before = expected;
  }
  return made;
}

describe('bodies', () => {
  it('are the kept bytes and the tail, and stay so', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        // Compared when all are made: a later body changes none before it.
        for (const { body, expected } of performed(steps)) expect(body).toBe(expected);
      }),
      { seed: 3, numRuns: 500 },
    );
  });

  it('refuse to keep what is not there or a part of a character, and go on', () => {
    const checked = fc.tuple(fc.array(step, { minLength: 1, maxLength: 5 }), fc.nat(), fc.nat(3));
    fc.assert(
      fc.property(checked, ([steps, place, more]) => {
        const bodies = new Bodies();
        let before = '';
        for (const { tail } of steps) {
          const keep = bytesOf(before);
          before += tail;
          bodies.next({ number: 1, keep, tail, length: bytesOf(before) });
        }
        const bytes = Buffer.from(before);
        const inside = [...bytes.keys()].filter((at) => (bytes[at] ?? 0) >> 6 === 0b10);
        const wrong = [bytes.length + 1 + more, ...inside.slice(place % 7, (place % 7) + 3)];
        for (const keep of wrong) {
          const next = () => bodies.next({ number: 2, keep, tail: 'x', length: keep + 1 });
          expect(next).toThrow(RangeError);
        }
        const keep = bytes.length;
        expect(bodies.next({ number: 3, keep, tail: '!', length: keep + 1 })).toBe(`${before}!`);
      }),
      { seed: 3, numRuns: 200 },
    );
  });

  it('stand beside the last one without taking its place', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(step, step), { minLength: 1, maxLength: 15 }), (steps) => {
        const bodies = new Bodies();
        let before = '';
        for (const [{ at, tail }, aside] of steps) {
          const keep = bytesOf(shareOf(before, at));
          const length = keep + bytesOf(tail);
          const body = bodies.next({ number: 1, keep, tail, length });
          expect(body).toBe(naive(before, keep, tail));
          before = body;
          const kept = bytesOf(shareOf(before, aside.at));
          const beside = bodies.beside({ keep: kept, tail: aside.tail });
          expect(beside).toBe(naive(before, kept, aside.tail));
        }
        const more = { keep: bytesOf(before) + 1, tail: 'x' };
        expect(() => bodies.beside(more)).toThrow('the request for a summary keeps');
      }),
      { seed: 3, numRuns: 200 },
    );
  });

  it('say what does not fit', () => {
    const bodies = new Bodies();
    bodies.next({ number: 1, keep: 0, tail: 'a😀', length: 5 });
    expect(() => bodies.next({ number: 2, keep: 6, tail: '', length: 6 })).toThrow(
      'request 2 keeps 6 bytes, and the body before it has 5',
    );
    expect(() => bodies.next({ number: 2, keep: 3, tail: '', length: 3 })).toThrow(
      'a request keeps a part of a character of the body before it',
    );
  });

  it('cost what is new of them, also where a little is taken back each time', () => {
    const bodies = new Bodies();
    const closing = ']}';
    const tail = 'x'.repeat(2000) + closing;
    const first = 'y'.repeat(100_000_000);
    let length = bytesOf(first);
    bodies.next({ number: 1, keep: 0, tail: first, length });
    const began = performance.now();
    for (let number = 2; number < 1000; number += 1) {
      // Every other one reaches into the piece before.
      const keep = length - closing.length * (number % 2 === 0 ? 1 : 1500);
      length = keep + tail.length;
      bodies.next({ number, keep, tail, length });
    }
    // To copy the whole a thousand times would take far over ten seconds.
    expect(performance.now() - began).toBeLessThan(2000);
  });
});
