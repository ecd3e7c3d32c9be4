/** What `--sessions` names: a folder with one SQLite file, which every host reads. */
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, StorageError } from '../errors.js';
import type { SqliteStorage } from '../sqlite.js';
import { reason } from '../system-words.js';
import { isDirectory, isFile } from './files.js';

const FILE = 'sessions.db';

/** In the words of every host. */
const NO_FILE = 'no such file; name a file of sessions, or the folder that replay --sessions wrote';

/** A storage that is open, and its file. */
export interface Sessions {
  readonly file: string;
  readonly storage: SqliteStorage;
}

/** A new file in a folder, which is made if it is not there. One that holds sessions is left alone. */
export async function newSessions(folder: string): Promise<Sessions> {
  const file = path.join(folder, FILE);
  if (existsSync(file)) throw new Error(`${file}: holds sessions already; name another folder`);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new Error(`${folder}: ${reason(error)}`, { cause: error });
  }
  return opened(file, (Storage) => new Storage(file));
}

/** The file in a folder, or the file itself, to be read. */
export async function keptSessions(given: string): Promise<Sessions> {
  const file = isDirectory(given) ? path.join(given, FILE) : given;
  if (!isFile(file)) throw new Error(`${file}: ${NO_FILE}`);
  return opened(file, (Storage) => Storage.readonly(file));
}

type Open = (Storage: typeof SqliteStorage) => SqliteStorage;

async function opened(file: string, open: Open): Promise<Sessions> {
  const { SqliteStorage } = await sqlite();
  try {
    return { file, storage: open(SqliteStorage) };
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
    const problem = `--sessions needs the package better-sqlite3, version 12: ${describe(error)}`;
    throw new Error(problem, { cause: error });
  }
}
