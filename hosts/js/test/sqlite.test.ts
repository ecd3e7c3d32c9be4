import Database from 'better-sqlite3';
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { StorageError } from '../src/index.js';
import { SqliteStorage } from '../src/sqlite.js';
import { temporaryFolder } from './helpers/folder.js';
import { call, open, thrownBy } from './helpers/session.js';

function databaseFile(): string {
  return path.join(temporaryFolder(), 'sessions.sqlite');
}

function problemOf(work: () => unknown): unknown {
  const error = thrownBy(work);
  expect(error).toBeInstanceOf(StorageError);
  return (error as StorageError).problem;
}

describe('an SQLite file', () => {
  it('is set up for several writers and for crashes', () => {
    const database = new Database(databaseFile());
    const storage = new SqliteStorage(database);
    expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(database.pragma('synchronous', { simple: true })).toBe(3);
    expect(database.pragma('busy_timeout', { simple: true })).toBe(5000);
    expect(database.pragma('user_version', { simple: true })).toBe(1);
    storage.close();
  });

  it('has the schema that all hosts share', () => {
    const database = new Database(databaseFile());
    new SqliteStorage(database).append('s', 0, ['r'], [{ id: '#0001', text: 't' }]);
    const found = database.prepare('SELECT sql FROM sqlite_master WHERE type = ?').pluck();
    const shared = readFileSync(new URL('../../sqlite.sql', import.meta.url), 'utf8');
    const fresh = new Database(':memory:').exec(shared);
    const expected = fresh.prepare('SELECT sql FROM sqlite_master WHERE type = ?').pluck();
    expect(found.all('table')).toEqual(expected.all('table'));
    expect(database.prepare('SELECT * FROM waybread_log').all()).toEqual([
      { session: 's', position: 0, record: 'r' },
    ]);
    expect(database.prepare('SELECT * FROM waybread_text').all()).toEqual([
      { session: 's', id: '#0001', text: 't' },
    ]);
  });

  it('is refused where a newer version wrote it', () => {
    const file = databaseFile();
    new SqliteStorage(file).close();
    const database = new Database(file);
    database.pragma('user_version = 2');
    expect(problemOf(() => new SqliteStorage(file))).toEqual({
      code: 'other',
      message:
        'the database has version 2 of the schema, and this Waybread knows version 1: use a newer one',
    });
    expect(database.open).toBe(true);
    database.close();
  });

  it('is refused where it is none, or can not be made', () => {
    const file = databaseFile();
    expect(problemOf(() => new SqliteStorage(path.join(file, 'no', 'folder')))).toMatchObject({
      code: 'other',
      message: expect.stringContaining(`cannot open ${file}`) as string,
    });
    const none = new URL('../package.json', import.meta.url).pathname;
    expect(problemOf(() => new SqliteStorage(none))).toMatchObject({
      code: 'other',
      message: 'file is not a database',
    });
  });

  it('answers `full` when no room is left, writes nothing, and goes on when there is', async () => {
    const database = new Database(databaseFile());
    const session = await open({ storage: new SqliteStorage(database) });
    session.insertResult(call(), { output: 'kept' });
    database.pragma('max_page_count = 16');
    const large = call();
    expect(
      thrownBy(() => session.insertResult(large, { output: 'x'.repeat(1_000_000) })),
    ).toMatchObject({ detail: { code: 'storage', operation: 'append', error: { code: 'full' } } });
    expect(session.insertResult(call(), { output: 'small' }).id).toBe('#0002');
    database.pragma('max_page_count = 1000000');
    expect(session.insertResult(large, { output: 'x'.repeat(1_000_000) }).id).toBe('#0003');
    expect(session.storedText('1')).toBe('kept');
  });

  it('answers `denied` where it is read-only, and can be read', async () => {
    const file = databaseFile();
    const writer = await open({ storage: new SqliteStorage(file) });
    writer.insertResult(call(), { output: 'kept' });
    const reader = await open({
      storage: new SqliteStorage(new Database(file, { readonly: true })),
    });
    expect(reader.storedText('1')).toBe('kept');
    expect(thrownBy(() => reader.insertResult(call(), { output: 'x' }))).toMatchObject({
      detail: { code: 'storage', operation: 'append', error: { code: 'denied' } },
    });
  });

  it('tells its sessions, and is opened to be read', () => {
    const file = databaseFile();
    expect(problemOf(() => SqliteStorage.readonly(file))).toMatchObject({ code: 'other' });
    const storage = new SqliteStorage(file);
    expect(storage.sessions()).toEqual([]);
    for (const key of ['two', 'a/b', 'two2']) storage.append(key, 0, ['r', 'r'], []);
    storage.close();
    const reader = SqliteStorage.readonly(file);
    expect(reader.sessions()).toEqual(['a/b', 'two', 'two2']);
    expect(reader.readLog('two', 0)).toEqual(['r', 'r']);
    const append = () => {
      reader.append('two', 2, ['r'], []);
    };
    expect(problemOf(append)).toEqual({ code: 'denied' });
    reader.close();
  });

  it('answers in words where another writer holds it too long', () => {
    const file = databaseFile();
    const database = new Database(file);
    const storage = new SqliteStorage(database);
    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');
    database.pragma('busy_timeout = 10');
    const append = () => {
      storage.append('s', 0, ['r'], []);
    };
    expect(problemOf(append)).toEqual({
      code: 'other',
      message: 'another writer has held the database for over 5 seconds',
    });
    other.exec('COMMIT');
    append();
    expect(storage.readLog('s', 0)).toEqual(['r']);
  });

  it('lets one of two writers on one session win', async () => {
    const file = databaseFile();
    const one = await open({ storage: new SqliteStorage(file) });
    const other = await open({ storage: new SqliteStorage(file) });
    one.insertResult(call(), { output: 'first' });
    expect(thrownBy(() => other.insertResult(call(), { output: 'late' }))).toMatchObject({
      code: 'conflict',
    });
    other.reopen();
    expect(other.insertResult(call(), { output: 'second' }).id).toBe('#0002');
  });

  it('is written to only while its name leads to it', async () => {
    const file = databaseFile();
    const storage = new SqliteStorage(file);
    const session = await open({ storage });
    session.insertResult(call(), { output: 'kept' });
    const append = () => session.insertResult(call(), { output: 'lost' });
    const replace = () => {
      writeFileSync(file, 'another file');
    };
    for (const swap of [() => undefined, replace]) {
      renameSync(file, `${file}.away`);
      swap();
      expect(thrownBy(append)).toMatchObject({
        detail: { code: 'storage', operation: 'append', error: { code: 'other' } },
        message: expect.stringContaining('was removed or replaced since it was opened') as string,
      });
      renameSync(`${file}.away`, file);
      expect(append().text).toContain('lost');
    }
  });

  it.skipIf(process.platform === 'win32')('is made for its owner alone, and keeps a mode', () => {
    const [made, there] = [databaseFile(), databaseFile()];
    new SqliteStorage(made).close();
    expect(statSync(made).mode & 0o777).toBe(0o600);
    writeFileSync(there, '', { mode: 0o644 });
    new SqliteStorage(there).close();
    expect(statSync(there).mode & 0o777).toBe(0o644);
  });

  it('tells a commit that failed from what was not written', () => {
    const database = new Database(databaseFile());
    const storage = new SqliteStorage(database);
    // A check that is put off to the commit: SQLite takes the transaction back, and can't be asked.
    database.exec(
      'PRAGMA foreign_keys = ON; CREATE TABLE p (a PRIMARY KEY);' +
        'CREATE TABLE c (a REFERENCES p DEFERRABLE INITIALLY DEFERRED);' +
        "CREATE TRIGGER t AFTER INSERT ON waybread_log BEGIN INSERT INTO c VALUES ('x'); END",
    );
    const append = () => {
      storage.append('s', 0, ['r'], []);
    };
    expect(problemOf(append)).toMatchObject({ code: 'uncertain' });
    expect(database.inTransaction).toBe(false);
    database.exec('DROP TRIGGER t');
    append();
    expect(storage.readLog('s', 0)).toEqual(['r']);
  });

  it('is refused where it lost a record', () => {
    const database = new Database(databaseFile());
    const storage = new SqliteStorage(database);
    storage.append('s', 0, ['a', 'b', 'c'], []);
    database.exec('DELETE FROM waybread_log WHERE position = 1');
    const message = 'the log of `s` lacks record 1: the database is damaged';
    expect(problemOf(() => storage.readLog('s', 0))).toEqual({ code: 'other', message });
    expect(storage.readLog('s', 2)).toEqual(['c']);
  });

  it.each<[unknown, string]>([
    [undefined, 'undefined'],
    ['', "''"],
    [pathToFileURL('/tmp/x'), 'a URL, of which fileURLToPath makes a path'],
    [7, '7'],
    [{}, '[object Object]'],
  ])('is not made of %j', (source, given) => {
    const right = `source must be the path of a file or a Database of better-sqlite3, not ${given}`;
    expect(() => new SqliteStorage(source as string)).toThrow(new TypeError(right));
    expect(() => SqliteStorage.readonly(source as string)).toThrow(new TypeError(right));
  });
});
