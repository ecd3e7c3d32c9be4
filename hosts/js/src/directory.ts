/** Files on the disk. */
import { isUtf8 } from 'node:buffer';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import type { Stats } from 'node:fs';
import path from 'node:path';
import { FileError, type FileProblem } from './errors.js';
import type { File, FileSystem } from './ports.js';

/** The contract counts a file's bytes with 32 bits. */
const MOST_BYTES = 0xffff_ffff;

/** How many links one path may follow, as Linux has it. */
const MOST_LINKS = 40;

const SEPARATORS_AT_END = path.sep === '/' ? /\/+$/ : /[/\\]+$/;

/**
 * No system opens a file by a longer path. What is longer is not looked for: that would take a call for each of
 * its folders.
 */
const MOST_PATH = process.platform === 'win32' ? 32_767 : 4096;

/** Where Linux says what path an open file has by now. */
const OPEN_FILES = process.platform === 'linux' ? '/proc/self/fd' : undefined;

// Opening a pipe would wait for a writer; so would a file swapped for one since it was looked at.
// Windows has neither flag: `|` takes undefined for 0.
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** How a {@link Directory} reads. */
export interface DirectoryOptions {
  /**
   * Default true: whatever lies outside the root by its real path is `denied`, so a symbolic link
   * out of it is too. False: every file that the process may read.
   */
  readonly confined?: boolean;
}

/**
 * Files on the disk: those below one directory, or all of them.
 *
 * Confinement judges real paths, and looks again after a file was opened: on Linux at the path that the open
 * file has, so that a folder which is swapped for a link in between is of no use. Elsewhere it holds against what a
 * model asks for, and is no sandbox against a program that swaps folders at the same time.
 *
 * @example
 * ```ts
 * const filesystem = new Directory('/home/ada/app');
 * ```
 */
export class Directory implements FileSystem {
  readonly #root: string;
  readonly #confined: boolean;

  /** @throws an `Error` if `root` is not a directory or may not be looked at. */
  constructor(root: string, { confined = true }: DirectoryOptions = {}) {
    this.#root = realPath(path.resolve(root));
    this.#confined = confined;
    if (!lstatSync(this.#root).isDirectory()) throw new Error(`${root} is not a directory`);
  }

  identify(file: string): string {
    return answering(() => this.#realPath(file));
  }

  read(file: string): File {
    return answering(() => {
      const identity = this.#realPath(file);
      // Looked at before it is opened: opening a device can have effects.
      const found = lstatSync(identity);
      mustBeFile(found);
      return { identity, bytes: this.#bytes(identity, found) };
    });
  }

  #bytes(identity: string, found: Stats): Uint8Array {
    const descriptor = openSync(identity, FLAGS);
    try {
      const opened = fstatSync(descriptor);
      // Once more: the path may lead to something else since it was looked at.
      mustBeFile(opened);
      const same = opened.ino === found.ino && opened.dev === found.dev;
      if (!same || pathOf(descriptor, identity) !== identity) {
        throw unreadable('it was replaced while it was read');
      }
      if (opened.size > MOST_BYTES) throw tooLarge(opened.size);
      return readFileSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  /** The real path, if it may be looked at. */
  #realPath(file: string): string {
    if (file.length > MOST_PATH) throw new FileError('not-found');
    let real: string;
    try {
      real = realPath(file);
    } catch (error) {
      // What is missing outside is not told.
      throw this.#getsLostInside(file) ? error : new FileError('denied', { cause: error });
    }
    if (!this.#holds(real)) throw new FileError('denied');
    return real;
  }

  #holds(real: string): boolean {
    if (!this.#confined) return true;
    const below = path.relative(this.#root, real);
    return below !== '..' && !below.startsWith(`..${path.sep}`) && !path.isAbsolute(below);
  }

  /** Whether a path that leads nowhere gets lost inside. Links are followed to where that is. */
  #getsLostInside(file: string): boolean {
    let way = file;
    for (let links = 0; links < MOST_LINKS; links += 1) {
      const last = lastThatExists(way);
      if (last === undefined) return true;
      const target = attempt(() => readlinkSync(last));
      const folder = target === undefined ? last : path.dirname(last);
      const real = attempt(() => realPath(folder));
      if (real === undefined || !this.#holds(real)) return false;
      if (target === undefined) return true;
      // Not `path.join`: what `..` leaves may be a link itself.
      const leads = path.isAbsolute(target) ? target : `${folder}${path.sep}${target}`;
      way = leads + way.slice(last.length);
    }
    // Round in a circle, none of which is outside.
    return true;
  }
}

/** The longest beginning of a path that is there, be it a link that leads nowhere. */
function lastThatExists(file: string): string | undefined {
  let last = withoutSeparatorAtEnd(file);
  while (attempt(() => lstatSync(last)) === undefined) {
    const folder = withoutSeparatorAtEnd(path.dirname(last));
    if (folder === last) return undefined;
    last = folder;
  }
  return last;
}

/** With a separator at its end, the system would follow a link. */
function withoutSeparatorAtEnd(file: string): string {
  const { root } = path.parse(file);
  return root + file.slice(root.length).replace(SEPARATORS_AT_END, '');
}

/** What the work answers; nothing where the system refuses. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Without symbolic links, and in the case that the disk has. */
function realPath(file: string): string {
  const real = realpathSync.native(file, 'buffer');
  if (!isUtf8(real)) throw unreadable('its real path is not UTF-8');
  return real.toString('utf8');
}

function mustBeFile(found: Stats): void {
  if (found.isDirectory()) throw new FileError('is-directory');
  if (!found.isFile()) throw new FileError('not-a-file');
}

/** The path that an open file has by now, as far as the system tells. */
function pathOf(descriptor: number, identity: string): string {
  const told = OPEN_FILES && attempt(() => readlinkSync(`${OPEN_FILES}/${String(descriptor)}`));
  return told ?? realPath(identity);
}

function unreadable(reason: string): FileError {
  return new FileError('unreadable', { reason });
}

function tooLarge(bytes: number): FileError {
  return unreadable(`it has ${String(bytes)} bytes, and at most ${String(MOST_BYTES)} can be read`);
}

const PROBLEMS: ReadonlyMap<unknown, FileProblem> = new Map<unknown, FileProblem>([
  ['ENOENT', 'not-found'],
  ['ELOOP', 'not-found'],
  // A file stands where a folder would have to.
  ['ENOTDIR', 'not-found'],
  // A name that no file can have: too long, or with NUL in it.
  ['ENAMETOOLONG', 'not-found'],
  ['ERR_INVALID_ARG_VALUE', 'not-found'],
  ['EACCES', 'denied'],
  ['EPERM', 'denied'],
  ['EISDIR', 'is-directory'],
  ['ENXIO', 'not-a-file'],
  // More than a buffer holds.
  ['ERR_FS_FILE_TOO_LARGE', 'unreadable'],
]);

/** The system's reasons as the ones that a filesystem has. */
function answering<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof FileError) throw error;
    const problem = PROBLEMS.get((error as NodeJS.ErrnoException).code);
    if (problem === undefined) throw error;
    const reason = problem === 'unreadable' ? { reason: error.message } : {};
    throw new FileError(problem, { cause: error, ...reason });
  }
}
