/** The folder of sessions that `--sessions` names: one SQLite file, which every host reads. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, StorageError } from '../errors.js';
import type { SqliteStorage } from '../sqlite.js';
import { reason } from '../system-words.js';
import { UsageError } from './command.js';

const FILE = 'sessions.db';

/** A new storage in a folder, which is made. Sessions are not added to others. */
export async function newSessions(folder: string): Promise<SqliteStorage> {
  const file = path.join(folder, FILE);
  if (existsSync(file)) throw new UsageError(`${file} is there already: name another folder`);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new Error(`${folder}: ${reason(error)}`, { cause: error });
  }
  const { SqliteStorage } = await sqlite();
  return named(file, () => new SqliteStorage(file));
}

/** The storage in a folder, or in the file itself, to be read. */
export async function keptSessions(given: string): Promise<SqliteStorage> {
  const file = isFolder(given) ? path.join(given, FILE) : given;
  if (!existsSync(file)) {
    throw new UsageError(`${file} is not there: --sessions names what waybread-replay has written`);
  }
  const { SqliteStorage } = await sqlite();
  return named(file, () => SqliteStorage.readonly(file));
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function named<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    throw new Error(`${file}: ${error.message}`, { cause: error });
  }
}

/** The SQLite package is the application's to install. */
async function sqlite(): Promise<typeof import('../sqlite.js')> {
  try {
    return await import('../sqlite.js');
  } catch (error) {
    const problem = `--sessions needs the package better-sqlite3 12 (${describe(error)})`;
    throw new Error(problem, { cause: error });
  }
}
