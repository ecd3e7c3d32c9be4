/** Hashes and contents, in Node and as a browser makes them. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { contentOf, hashedContentOf } from '../src/content.js';
import * as node from '../src/platform/node.js';
import * as web from '../src/platform/web.js';

const encoder = new TextEncoder();

/** Made with `sha256sum`. */
const KNOWN: [string, Uint8Array, string][] = [
  ['nothing', Uint8Array.of(), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  [
    'abc',
    encoder.encode('abc'),
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  ],
  [
    'x\\n',
    encoder.encode('x\n'),
    '73cb3858a687a8494ca3323053016282f3dad39d42cf62ca4e79dda2aac7d9ac',
  ],
];

describe.each([
  ['Node', node.sha256],
  ['a browser', web.sha256],
])('SHA-256 in %s', (_, sha256) => {
  it.each(KNOWN)('of %s', (_name, bytes, hash) => {
    expect(sha256(bytes)).toBe(hash);
  });

  it('of a part of a buffer, and of every length around a block', () => {
    const whole = Uint8Array.from({ length: 300 }, (_value, index) => index % 256);
    for (let length = 0; length < 260; length += 1) {
      const part = whole.subarray(7, 7 + length);
      expect(sha256(part)).toBe(createHash('sha256').update(part).digest('hex'));
    }
  });
});

describe('content', () => {
  it('is text where the bytes are UTF-8, every byte of it', () => {
    for (const text of ['', '\ufeffx', 'a\r\n\0b', '😀\u{10ffff}']) {
      expect(contentOf(encoder.encode(text))).toEqual({ tag: 'text', val: text });
    }
  });

  it.each([
    ['a byte that none begins with', [0x61, 0xff]],
    ['one cut off', [0xe2, 0x82]],
    ['an overlong one', [0xc0, 0x80]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['one past the last', [0xf4, 0x90, 0x80, 0x80]],
  ])('is the number of bytes for %s', (_, bytes) => {
    expect(contentOf(Uint8Array.from(bytes))).toEqual({ tag: 'binary', val: bytes.length });
  });

  it('is hashed as the bytes that a text is in UTF-8', () => {
    const text = '\ufeffé😀\n';
    const [ofText, ofBytes] = [hashedContentOf(text), hashedContentOf(encoder.encode(text))];
    expect(ofText).toEqual(ofBytes);
    expect(ofText.sha256).toBe(createHash('sha256').update(text, 'utf8').digest('hex'));
  });
});
