/**
 * `waybread/sqlite`: sessions in an SQLite file, in the schema that every Waybread host shares.
 *
 * It needs the package `better-sqlite3`, version 12, which an application installs itself.
 *
 * @module
 */
import Database from 'better-sqlite3';
import { closeSync, openSync, statSync } from 'node:fs';
import { describe, StorageError } from './errors.js';
import { SCHEMA } from './generated/schema.js';
import type { Storage, StoredText } from './ports.js';

const SCHEMA_VERSION = 1;
/** How long a call waits for another writer, in milliseconds. */
const BUSY = 5000;
/** How long between two tries where SQLite does not wait itself, in milliseconds. */
const PAUSE = 20;
/** SQLite's name of a database that is no file. */
const MEMORY = ':memory:';

/**
 * Sessions in one SQLite file. Any number of sessions, processes and Waybread hosts may share it.
 *
 * An append is one transaction, on the disk when the call returns: a crash or a kill loses at most
 * the call that was under way. Two writers on one session can't both win: the slower one gets
 * `conflict`.
 *
 * @example
 * ```ts
 * const storage = new SqliteStorage('sessions.sqlite');
 * ```
 */
export class SqliteStorage implements Storage {
  readonly #database: Database.Database;
  readonly #append: Storage['append'];
  readonly #log: Database.Statement<[string, number], { position: number; record: string }>;
  readonly #text: Database.Statement<[string, string], string>;
  readonly #sessions: Database.Statement<[], string>;

  /**
   * Opens the file, or makes it, for its owner alone; or takes a database that the caller opened, with options
   * of its own. The tables' names begin with `waybread_`; `PRAGMA user_version` is Waybread's.
   *
   * @throws `TypeError` for what is no path and no database; {@link StorageError}: `denied` if the file may not be written; `other` if it is no SQLite
   * file, its folder is missing, or a newer version of the schema is in it.
   */
  constructor(source: string | Database.Database) {
    checkSource(source);
    const file = typeof source === 'string' ? source : undefined;
    this.#database = typeof source === 'string' ? create(source) : source;
    try {
      prepare(this.#database);
    } catch (error) {
      // What the caller opened is the caller's to close.
      if (file !== undefined) this.#database.close();
      throw failure(error);
    }
    this.#append = appending(this.#database, watching(file));
    this.#log = this.#database.prepare(
      'SELECT position, record FROM waybread_log WHERE session = ? AND position >= ? ORDER BY position',
    );
    this.#text = this.#database
      .prepare<[string, string], string>(
        'SELECT text FROM waybread_text WHERE session = ? AND id = ?',
      )
      .pluck();
    this.#sessions = this.#database
      .prepare<[], string>('SELECT DISTINCT session FROM waybread_log ORDER BY session')
      .pluck();
  }

  /**
   * Opens a file that is there, to be read: an append is refused, `denied`.
   *
   * @throws {@link StorageError}: as the constructor.
   */
  static readonly(file: string): SqliteStorage {
    checkSource(file);
    const database = open(file, { readonly: true });
    try {
      return new SqliteStorage(database);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  append(
    session: string,
    expectedLength: number,
    records: readonly string[],
    texts: readonly StoredText[],
  ): void {
    answering(() => {
      this.#append(session, expectedLength, records, texts);
    });
  }

  readLog(session: string, start: number): readonly string[] {
    const rows = answering(() => this.#log.all(session, start));
    return rows.map(({ position, record }, index) => {
      // Each append would be a conflict with a record that is not there.
      if (position === start + index) return record;
      const lost = `the log of \`${session}\` lacks record ${String(start + index)}`;
      throw new StorageError({ code: 'other', message: `${lost}: the database is damaged` });
    });
  }

  readText(session: string, id: string): string {
    const text = answering(() => this.#text.get(session, id));
    if (text === undefined) throw new StorageError({ code: 'not-found' });
    return text;
  }

  /** The keys of the sessions that are there, in the order of their code points. */
  sessions(): string[] {
    return answering(() => this.#sessions.all());
  }

  /** Closes the database. */
  close(): void {
    this.#database.close();
  }
}

function open(file: string, options: Database.Options = {}): Database.Database {
  try {
    return new Database(file, { ...options, timeout: BUSY });
  } catch (error) {
    const message = `cannot open ${file}: ${describe(error)}`;
    throw new StorageError({ code: 'other', message }, { cause: error });
  }
}

/** Of a JavaScript caller, or of an environment variable that is not set: SQLite would take '' for a file to lose. */
function checkSource(source: unknown): asserts source is string | Database.Database {
  if (typeof source === 'string' && source !== '') return;
  if (source instanceof Object && typeof Reflect.get(source, 'prepare') === 'function') return;
  const given =
    source instanceof URL ? 'a URL, of which fileURLToPath makes a path' : describe(source) || "''";
  const right = 'the path of a file or a Database of better-sqlite3';
  throw new TypeError(`source must be ${right}, not ${given}`);
}

/** Opens the file, which is made for its owner alone: results of tools can hold secrets. */
function create(file: string): Database.Database {
  if (file !== MEMORY) {
    try {
      closeSync(openSync(file, 'wx', 0o600));
    } catch {
      // It is there, or can't be made: opening it tells.
    }
  }
  return open(file);
}

/** Sets the connection up, and makes the tables in a new database. */
function prepare(database: Database.Database): void {
  database.pragma(`busy_timeout = ${String(BUSY)}`);
  // Every commit reaches the disk, also in WAL mode, and where that can't be had the folder does too.
  database.pragma('synchronous = EXTRA');
  if (version(database) === 0) database.transaction(makeTables).immediate(database);
  const found = version(database);
  if (found !== SCHEMA_VERSION) {
    throw new StorageError({
      code: 'other',
      message:
        `the database has version ${String(found)} of the schema, and this Waybread knows version ` +
        `${String(SCHEMA_VERSION)}: use a newer one`,
    });
  }
  if (!database.readonly) writeAhead(database);
}

/** Readers and a writer don't wait for each other. SQLite itself would not wait for who opens the file at this moment. */
function writeAhead(database: Database.Database): void {
  const patience = Date.now() + BUSY;
  // A database in memory answers `memory`.
  while (database.pragma('journal_mode', { simple: true }) === 'delete') {
    try {
      database.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || Date.now() > patience) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
    }
  }
}

function makeTables(database: Database.Database): void {
  // Another process may have made them since.
  if (version(database) !== 0) return;
  database.exec(SCHEMA);
  database.pragma(`user_version = ${String(SCHEMA_VERSION)}`);
}

function version(database: Database.Database): number {
  return database.pragma('user_version', { simple: true }) as number;
}

/** Refuses to write where the name leads to another file than the one that was opened: nobody would find it again. */
function watching(file: string | undefined): () => void {
  // Windows holds an open file fast.
  if (file === undefined || file === MEMORY || process.platform === 'win32') return () => undefined;
  const look = () => statSync(file, { bigint: true, throwIfNoEntry: false });
  const opened = look();
  return () => {
    const found = look();
    if (found?.ino === opened?.ino && found?.dev === opened?.dev) return;
    const message = `${file} was removed or replaced since it was opened: nothing was written; open it again`;
    throw new StorageError({ code: 'other', message });
  };
}

function appending(database: Database.Database, mustStand: () => void): Storage['append'] {
  const length = database
    .prepare<[string], number>(
      'SELECT coalesce(max(position) + 1, 0) FROM waybread_log WHERE session = ?',
    )
    .pluck();
  const log = database.prepare<[string, number, string]>(
    'INSERT INTO waybread_log (session, position, record) VALUES (?, ?, ?)',
  );
  const text = database.prepare<[string, string, string]>(
    'INSERT INTO waybread_text (session, id, text) VALUES (?, ?, ?)',
  );
  const write: Storage['append'] = (session, expectedLength, records, texts) => {
    const found = length.get(session) ?? 0;
    if (found !== expectedLength) throw new StorageError({ code: 'conflict', length: found });
    records.forEach((record, index) => log.run(session, found + index, record));
    for (const stored of texts) text.run(session, stored.id, stored.text);
    mustStand();
  };
  // Immediate: the length that is compared is still the length when the rows are written.
  const [begin, commit, rollback] = ['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK'].map((sql) =>
    database.prepare(sql),
  );
  return (...given) => {
    begin?.run();
    try {
      write(...given);
      committing(() => commit?.run());
    } finally {
      // Some errors end the transaction themselves.
      if (database.inTransaction) rollback?.run();
    }
  };
}

/** A commit that fails may be on the disk all the same, unless SQLite knows that it is not. */
function committing(commit: () => unknown): void {
  try {
    commit();
  } catch (error) {
    const known = failure(error);
    if (known.problem.code !== 'other' || isBusy(error)) throw known;
    throw new StorageError({ ...known.problem, code: 'uncertain' }, { cause: error });
  }
}

function answering<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw failure(error);
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code);
}

function failure(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const code = error instanceof Database.SqliteError ? error.code : '';
  if (code === 'SQLITE_FULL') return new StorageError({ code: 'full' }, { cause: error });
  if (/^SQLITE_(READONLY|PERM|AUTH)/.test(code)) {
    return new StorageError({ code: 'denied' }, { cause: error });
  }
  const message = isBusy(error)
    ? `another writer has held the database for over ${String(BUSY / 1000)} seconds`
    : describe(error);
  return new StorageError({ code: 'other', message }, { cause: error });
}
