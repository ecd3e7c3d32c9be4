import { describe, expect, it } from 'vitest';
import path from 'node:path';
import { MemoryStorage, StorageError, type Storage } from '../src/index.js';
import { SqliteStorage } from '../src/sqlite.js';
import { temporaryFolder } from './helpers/folder.js';
import { call, open, thrownBy } from './helpers/session.js';

const storages: [string, () => Storage][] = [
  ['MemoryStorage', () => new MemoryStorage()],
  ['SqliteStorage', () => new SqliteStorage(path.join(temporaryFolder(), 'sessions.sqlite'))],
];

function problemOf(work: () => unknown): unknown {
  const error = thrownBy(work);
  expect(error).toBeInstanceOf(StorageError);
  return (error as StorageError).problem;
}

describe.each(storages)('%s', (_, make) => {
  it('appends in order and reads from a position', () => {
    const storage = make();
    expect(storage.readLog('a', 0)).toEqual([]);
    storage.append('a', 0, ['one', 'two'], []);
    storage.append('a', 2, ['three'], []);
    storage.append('b', 0, ['other'], []);
    expect(storage.readLog('a', 0)).toEqual(['one', 'two', 'three']);
    expect(storage.readLog('a', 2)).toEqual(['three']);
    expect(storage.readLog('a', 3)).toEqual([]);
    expect(storage.readLog('a', 4_294_967_295)).toEqual([]);
    expect(storage.readLog('b', 0)).toEqual(['other']);
  });

  it('refuses an append at another length, and writes nothing of it', () => {
    const storage = make();
    storage.append('a', 0, ['one'], [{ id: '#0001', text: 'kept' }]);
    for (const expected of [0, 2]) {
      const append = () => {
        storage.append('a', expected, ['late'], [{ id: '#0002', text: 'late' }]);
      };
      expect(problemOf(append)).toEqual({ code: 'conflict', length: 1 });
    }
    expect(storage.readLog('a', 0)).toEqual(['one']);
    expect(problemOf(() => storage.readText('a', '#0002'))).toEqual({ code: 'not-found' });
    expect(storage.readText('a', '#0001')).toBe('kept');
  });

  it('refuses a text whose id is stored already, and writes nothing of it', () => {
    const storage = make();
    storage.append('a', 0, ['one'], [{ id: '#0001', text: 'kept' }]);
    const [second, third] = [
      { id: '#0002', text: 'second' },
      { id: '#0001', text: 'again' },
    ];
    for (const texts of [
      [second, third],
      [second, second],
    ]) {
      const append = () => {
        storage.append('a', 1, ['two'], texts);
      };
      expect(problemOf(append)).toMatchObject({ code: 'other' });
    }
    expect(storage.readLog('a', 0)).toEqual(['one']);
    expect(storage.readText('a', '#0001')).toBe('kept');
    expect(problemOf(() => storage.readText('a', '#0002'))).toEqual({ code: 'not-found' });
    // Ids are a session's own.
    storage.append('b', 0, ['one'], [{ id: '#0001', text: 'other' }]);
  });

  it('gives every text back as it came', () => {
    const storage = make();
    const texts = [
      '',
      '\0',
      'a\0b\0',
      '\ufeffBOM',
      '\r\n\u2028\u0085',
      '😀\u{10ffff}e\u0301',
      "';--",
    ];
    const stored = texts.map((text, index) => ({ id: `#${String(index)}`, text }));
    storage.append('s\0é', 0, texts, stored);
    expect(storage.readLog('s\0é', 0)).toEqual(texts);
    expect(stored.map(({ id }) => storage.readText('s\0é', id))).toEqual(texts);
    expect(problemOf(() => storage.readText('s', '#0'))).toEqual({ code: 'not-found' });
  });

  it('holds a session that is carried on', async () => {
    const storage = make();
    const first = await open({ storage });
    const text = 'NUL \0, ä, 😀\n'.repeat(3000);
    first.insertResult(call(), { output: text });
    const second = await open({ storage });
    expect(second.storedText('1')).toBe(text);
    expect(second.insertResult(call(), { output: 'on' }).id).toBe('#0002');
  });
});
