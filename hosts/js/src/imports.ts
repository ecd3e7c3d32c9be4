/**
 * What the component imports, from a host's storage and filesystem.
 *
 * Whatever a host throws becomes an error value here: an exception that crossed the component
 * would leave its instance in a state that nothing can be said about.
 */
import { hashedContentOf } from './content.js';
import { describe, FileError, StorageError, type StorageProblem } from './errors.js';
import type * as filesystem from './generated/interfaces/waybread-context-filesystem.js';
import type * as storage from './generated/interfaces/waybread-context-storage.js';
import type { ImportObject } from './generated/waybread.js';
import type { FileSystem, Hosts, Storage } from './ports.js';

/** A host as it may be: written in JavaScript, it can answer anything. */
type Unchecked<Host> = {
  [Method in keyof Host]: Host[Method] extends (...given: infer Given) => unknown
    ? (...given: Given) => unknown
    : never;
};

/** How the glue takes an error value: as the `payload` of what is thrown. */
class ErrorValue extends Error {
  readonly payload: storage.StorageError | filesystem.FileError;

  constructor(payload: storage.StorageError | filesystem.FileError, thrown: unknown) {
    super('an import failed', { cause: thrown });
    this.payload = payload;
  }
}

/** The functions of one session's host, and what the last of them that failed threw. */
export class Imports {
  /** For people who look for the reason; undefined where nothing was thrown. */
  thrown: unknown;
  readonly object: ImportObject;

  constructor(hosts: Hosts) {
    this.object = {
      'waybread:context/storage@0.1.0': this.#storage(hosts.storage),
      'waybread:context/filesystem@0.1.0': this.#filesystem(hosts.filesystem),
    };
  }

  #storage(host: Unchecked<Storage>): typeof storage {
    const guard = <T>(work: () => T): T => this.#guard(work, storageError);
    return {
      append: (session, expectedLength, records, texts) => {
        guard(() => {
          refusePromise(host.append(session, expectedLength, records, texts), 'append');
        });
      },
      readLog: (session, start) => guard(() => strings(host.readLog(session, start))),
      readText: (session, id) => guard(() => text(host.readText(session, id), 'readText')),
    };
  }

  #filesystem(host: Unchecked<FileSystem>): typeof filesystem {
    const guard = <T>(work: () => T): T => this.#guard(work, fileError);
    return {
      identify: (path) => guard(() => text(host.identify(path), 'identify')),
      read: (path) => guard(() => file(host.read(path))),
    };
  }

  #guard<T>(
    work: () => T,
    convert: (thrown: unknown) => storage.StorageError | filesystem.FileError,
  ): T {
    try {
      return work();
    } catch (thrown) {
      this.thrown = thrown;
      throw new ErrorValue(convert(thrown), thrown);
    }
  }
}

function storageError(thrown: unknown): storage.StorageError {
  return thrown instanceof StorageError
    ? fromProblem(thrown.problem)
    : { tag: 'other', val: describe(thrown) };
}

function fromProblem(problem: StorageProblem): storage.StorageError {
  switch (problem.code) {
    case 'conflict':
      return { tag: 'conflict', val: problem.length };
    case 'other':
      return { tag: 'other', val: problem.message };
    default:
      return { tag: problem.code };
  }
}

function fileError(thrown: unknown): filesystem.FileError {
  return thrown instanceof FileError
    ? { tag: thrown.code }
    : { tag: 'other', val: describe(thrown) };
}

function file(answer: unknown): filesystem.File {
  refusePromise(answer, 'read');
  if (!isObject(answer)) throw new TypeError('read must answer { identity, bytes }');
  const { identity, bytes } = answer;
  if (!(bytes instanceof Uint8Array)) throw new TypeError('read must answer bytes as a Uint8Array');
  return { identity: text(identity, 'identity of read'), hashed: hashedContentOf(bytes) };
}

function strings(answer: unknown): string[] {
  refusePromise(answer, 'readLog');
  if (!Array.isArray(answer)) throw new TypeError('readLog must answer an array of strings');
  return answer.map((record: unknown) => text(record, 'readLog'));
}

function text(answer: unknown, method: string): string {
  refusePromise(answer, method);
  if (typeof answer !== 'string') throw new TypeError(`${method} must answer a string`);
  return answer;
}

function refusePromise(answer: unknown, method: string): void {
  if (!isObject(answer) || typeof answer.then !== 'function') return;
  // Nobody else will hear of it.
  void Promise.resolve(answer).catch(() => undefined);
  throw new TypeError(`${method} answered a promise, and must do its work before it returns`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
