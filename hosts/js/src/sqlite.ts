/**
 * `waybread/sqlite`: sessions in an SQLite file, in the schema that every Waybread host shares.
 *
 * It needs the package `better-sqlite3`, version 12, which an application installs itself.
 *
 * @module
 */
import Database from 'better-sqlite3';
import { describe, StorageError } from './errors.js';
import { SCHEMA } from './generated/schema.js';
import type { Storage, StoredText } from './ports.js';

const SCHEMA_VERSION = 1;
/** How long a call waits for another writer, in milliseconds. */
const BUSY = 5000;

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
  readonly #append: Database.Transaction<Storage['append']>;
  readonly #log: Database.Statement<[string, number], string>;
  readonly #text: Database.Statement<[string, string], string>;
  readonly #sessions: Database.Statement<[], string>;

  /**
   * Opens the file, or makes it; or takes a database that the caller opened, with options of its
   * own. The tables' names begin with `waybread_`; `PRAGMA user_version` is Waybread's.
   *
   * @throws {@link StorageError}: `denied` if the file may not be written; `other` if it is no SQLite
   * file, its folder is missing, or a newer version of the schema is in it.
   */
  constructor(source: string | Database.Database) {
    this.#database = typeof source === 'string' ? open(source) : source;
    try {
      prepare(this.#database);
    } catch (error) {
      // What the caller opened is the caller's to close.
      if (typeof source === 'string') this.#database.close();
      throw failure(error);
    }
    this.#append = appending(this.#database);
    this.#log = this.#database
      .prepare<[string, number], string>(
        'SELECT record FROM waybread_log WHERE session = ? AND position >= ? ORDER BY position',
      )
      .pluck();
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
    // Immediate: the length that is compared is still the length when the rows are written.
    answering(() => {
      this.#append.immediate(session, expectedLength, records, texts);
    });
  }

  readLog(session: string, start: number): readonly string[] {
    return answering(() => this.#log.all(session, start));
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

/** Sets the connection up, and makes the tables in a new database. */
function prepare(database: Database.Database): void {
  database.pragma(`busy_timeout = ${String(BUSY)}`);
  // Every commit reaches the disk, also in WAL mode.
  database.pragma('synchronous = FULL');
  if (version(database) === 0) {
    // Readers and a writer don't wait for each other. A database in memory answers `memory`.
    database.pragma('journal_mode = WAL');
    database.transaction(makeTables).immediate(database);
  }
  const found = version(database);
  if (found === SCHEMA_VERSION) return;
  throw new StorageError({
    code: 'other',
    message:
      `the database has version ${String(found)} of the schema, and this Waybread knows version ` +
      `${String(SCHEMA_VERSION)}: use a newer one`,
  });
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

function appending(database: Database.Database): Database.Transaction<Storage['append']> {
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
  return database.transaction((session, expectedLength, records, texts) => {
    const found = length.get(session) ?? 0;
    if (found !== expectedLength) throw new StorageError({ code: 'conflict', length: found });
    records.forEach((record, index) => log.run(session, found + index, record));
    for (const stored of texts) text.run(session, stored.id, stored.text);
  });
}

function answering<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw failure(error);
  }
}

function failure(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const code = error instanceof Database.SqliteError ? error.code : '';
  if (code === 'SQLITE_FULL') return new StorageError({ code: 'full' }, { cause: error });
  if (/^SQLITE_(READONLY|PERM|AUTH)/.test(code)) {
    return new StorageError({ code: 'denied' }, { cause: error });
  }
  const message = /^SQLITE_(BUSY|LOCKED)/.test(code)
    ? `another writer has held the database for over ${String(BUSY / 1000)} seconds`
    : describe(error);
  return new StorageError({ code: 'other', message }, { cause: error });
}
