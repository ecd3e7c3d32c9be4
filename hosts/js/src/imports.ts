/**
 * What the component imports, from a host's storage and filesystem.
 *
 * Whatever a host throws becomes an error value here: an exception that crossed the component
 * would leave its instance in a state that nothing can be said about.
 */
import { isCount, MOST } from './arguments/check.js';
import { hashedContentOf } from './content.js';
import {
  describe,
  FileError,
  StorageError,
  type FileProblem,
  type StorageProblem,
} from './errors.js';
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

/** An error's detail as it may be. */
type Unknown<Detail> = Partial<Record<Detail extends unknown ? keyof Detail : never, unknown>>;

const STORAGE_CODES = 'conflict, not-found, denied, full, other, uncertain';
const FILE_CODES: readonly FileProblem[] = [
  'not-found',
  'denied',
  'is-directory',
  'not-a-file',
  'unreadable',
];

type Payload = storage.StorageError | filesystem.FileError;
type Convert = (thrown: unknown) => Payload;

/** How the glue takes an error value: as the `payload` of what is thrown. */
class ErrorValue extends Error {
  readonly payload: Payload;

  constructor(payload: Payload, thrown: unknown) {
    super('an import failed', { cause: thrown });
    this.payload = payload;
  }
}

/** The functions of one session's host, and what the last of them that failed threw. */
export class Imports {
  /** For people who look for the reason; undefined where nothing was thrown. */
  thrown: unknown;
  /** Whether an append failed in a way that leaves open if it was written. */
  uncertain = false;
  readonly object: ImportObject;

  constructor(hosts: Hosts) {
    this.object = {
      'waybread:context/storage@0.1.0': this.#storage(hosts.storage),
      'waybread:context/filesystem@0.1.0': this.#filesystem(hosts.filesystem),
    };
  }

  /** Forgets what failed: a new call begins. */
  begin(): void {
    this.thrown = undefined;
    this.uncertain = false;
  }

  #storage(host: Unchecked<Storage>): typeof storage {
    const guard = <T>(work: () => T): T => this.#guard(work, storageError);
    return {
      append: (session, expectedLength, records, texts) => {
        const work = (): void => {
          this.#appending(() => host.append(session, expectedLength, records, texts));
        };
        this.#guard(work, appendError);
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

  #guard<T>(work: () => T, convert: Convert): T {
    try {
      return work();
    } catch (thrown) {
      this.thrown = thrown;
      throw new ErrorValue(converted(thrown, convert), thrown);
    }
  }

  #appending(work: () => unknown): void {
    try {
      refusePromise(work(), 'append');
    } catch (thrown) {
      // A storage that keeps to the contract says whether something was written.
      this.uncertain = converted(thrown, appendError).tag === 'uncertain';
      throw thrown;
    }
  }
}

/** What was thrown may be so odd that looking at it throws. */
function converted(thrown: unknown, convert: Convert): Payload {
  try {
    return convert(thrown);
  } catch (error) {
    return { tag: 'other', val: describe(error) };
  }
}

function storageError(thrown: unknown): storage.StorageError {
  if (!(thrown instanceof StorageError)) return { tag: 'other', val: describe(thrown) };
  return fromProblem(thrown.problem) ?? { tag: 'other', val: oddProblem(thrown.problem) };
}

/** What no storage says of an append leaves open whether it was written. */
function appendError(thrown: unknown): storage.StorageError {
  const error = storageError(thrown);
  return error.tag === 'other' && !(thrown instanceof StorageError)
    ? { ...error, tag: 'uncertain' }
    : error;
}

/** Undefined for what the contract does not have. */
function fromProblem(problem: Unknown<StorageProblem>): storage.StorageError | undefined {
  const { code } = problem;
  switch (code) {
    case 'conflict':
      return isCount(problem.length) ? { tag: code, val: problem.length } : undefined;
    case 'other':
    case 'uncertain':
      return typeof problem.message === 'string' ? { tag: code, val: problem.message } : undefined;
    case 'not-found':
    case 'denied':
    case 'full':
      return { tag: code };
    default:
      return undefined;
  }
}

function oddProblem({ code, length, message }: Unknown<StorageProblem>): string {
  if (code === 'conflict') {
    return `a StorageError has the length ${show(length)}, not a whole number from 0 to ${String(MOST)}`;
  }
  if (code === 'other' || code === 'uncertain') {
    return `a StorageError has the message ${show(message)}, not a string`;
  }
  return `a StorageError has the code ${show(code)}, not one of ${STORAGE_CODES}`;
}

function fileError(thrown: unknown): filesystem.FileError {
  if (!(thrown instanceof FileError)) return { tag: 'other', val: describe(thrown) };
  const code: unknown = thrown.code;
  const known = FILE_CODES.find((one) => one === code);
  if (known === 'unreadable') return { tag: known, val: describe(thrown) };
  if (known !== undefined) return { tag: known };
  const codes = FILE_CODES.join(', ');
  return { tag: 'other', val: `a FileError has the code ${show(code)}, not one of ${codes}` };
}

/** A value in a message. */
function show(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : describe(value);
}

function file(answer: unknown): filesystem.File {
  refusePromise(answer, 'read');
  if (!isObject(answer)) throw new TypeError('read must answer { identity, bytes }');
  const { identity, bytes } = answer;
  if (!(bytes instanceof Uint8Array)) throw new TypeError('read must answer bytes as a Uint8Array');
  return { identity: text(identity, 'identity of read'), hashed: hashedFile(bytes) };
}

/** A file's bytes may be more than a string of this machine holds: then no model can be shown them. */
function hashedFile(bytes: Uint8Array): filesystem.HashedContent {
  try {
    return hashedContentOf(bytes);
  } catch (error) {
    const reason = `its ${String(bytes.length)} bytes are more than a string holds here`;
    throw new FileError('unreadable', { reason, cause: error });
  }
}

function strings(answer: unknown): string[] {
  refusePromise(answer, 'readLog');
  if (!Array.isArray(answer)) throw new TypeError('readLog must answer an array of strings');
  // `map` would pass over holes.
  return Array.from(answer, (record: unknown) => text(record, 'readLog'));
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
