/** What can go wrong, for programs (`detail`, `problem`, `code`) and for people (`message`). */

/** Why a storage could not do what it was asked: `storage-error` of `wit/storage.wit`. */
export type StorageProblem =
  /** The log is not as long as the append expected; `length` is its length in records. */
  | { readonly code: 'conflict'; readonly length: number }
  /** No such text. */
  | { readonly code: 'not-found' }
  /** The medium refuses access. */
  | { readonly code: 'denied' }
  /** No room is left. */
  | { readonly code: 'full' }
  /** Anything else, in the host's own words; nothing was written. */
  | { readonly code: 'other'; readonly message: string }
  /**
   * An append failed where it may have been written all the same: a commit that failed, a connection that was
   * lost. The session's next call opens it again from its storage.
   */
  | { readonly code: 'uncertain'; readonly message: string };

const STORAGE_WORDS = {
  conflict: 'another writer was faster',
  'not-found': 'no such text',
  denied: 'access denied',
  full: 'no room is left',
} as const;

/**
 * What a {@link Storage} throws. Any other exception counts as `other` with its message, one of an append
 * as `uncertain`.
 *
 * @example
 * ```ts
 * throw new StorageError({ code: 'conflict', length: 12 });
 * ```
 */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  /** Why, for a program. */
  readonly problem: StorageProblem;

  constructor(problem: StorageProblem, options?: ErrorOptions) {
    super('message' in problem ? problem.message : STORAGE_WORDS[problem.code], options);
    this.problem = problem;
  }
}

/**
 * Why a file could not be resolved or read: `file-error` of `wit/filesystem.wit`, without `other`.
 *
 * - `not-found`: nothing is there, or a symbolic link leads nowhere or round in a circle;
 * - `denied`: permissions, or outside the root of a confined filesystem;
 * - `is-directory`: a directory;
 * - `not-a-file`: a device, a socket, a pipe;
 * - `unreadable`: it is there and can't be given, for a reason that ends a sentence.
 */
export type FileProblem = 'not-found' | 'denied' | 'is-directory' | 'not-a-file' | 'unreadable';

const FILE_WORDS = {
  'not-found': 'not found',
  denied: 'access denied',
  'is-directory': 'is a directory',
  'not-a-file': 'is not a file',
  unreadable: 'cannot be read',
} as const;

/**
 * What a {@link FileSystem} throws where the model can act on it: the model is told. Any other
 * exception fails the call with `filesystem` and its message.
 */
export class FileError extends Error {
  override readonly name = 'FileError';
  /** Why, for a program. */
  readonly code: FileProblem;

  /** `reason` is what the model is told of an `unreadable` file: `its real path is not UTF-8`. */
  constructor(code: FileProblem, { reason, ...options }: ErrorOptions & { reason?: string } = {}) {
    super(reason ?? FILE_WORDS[code], options);
    this.code = code;
  }
}

/** What a call failed with, for a program: `cause` of `wit/context.wit`. */
export type ErrorDetail =
  /** An argument that no session accepts, by its path: `call.id`, `changes.files[2].path`. */
  | { readonly code: 'invalid-argument'; readonly argument: string; readonly problem: string }
  /** A setting that is unknown, of the wrong type, out of range or at odds with another. */
  | { readonly code: 'invalid-setting'; readonly key: string; readonly problem: string }
  /** A setting given at a later open is not what the session began with. */
  | {
      readonly code: 'settings-differ';
      /** `kind`, `dialect` or `overrides`. */
      readonly name: string;
      readonly kept: string;
      readonly given: string;
    }
  /** A second result for one call; `id` is the result that it has. */
  | { readonly code: 'call-answered'; readonly call: string; readonly id: string }
  /** A result for a call that is not open; `open` has the ids of those that are. */
  | { readonly code: 'unknown-call'; readonly call: string; readonly open: readonly string[] }
  /** No message of the conversation has this number. */
  | { readonly code: 'unknown-message'; readonly number: number }
  /** No request of the session has this number. */
  | { readonly code: 'unknown-request'; readonly number: number }
  /** The session has no generation of this number. */
  | { readonly code: 'unknown-generation'; readonly number: number }
  /** The call does not fit what the session is or where it stands. */
  | { readonly code: 'out-of-order'; readonly problem: string }
  /** {@link Session.storedText} was asked for an id that the session never gave. */
  | { readonly code: 'unknown-id'; readonly id: string }
  /** The log's record at `position`, from 0, was written by a newer version. */
  | { readonly code: 'newer-record'; readonly position: number; readonly problem: string }
  /** The log's record at `position`, from 0, is none, or does not fit those before it. */
  | { readonly code: 'damaged-record'; readonly position: number; readonly problem: string }
  /** Another writer appended; the log has `length` records now. {@link Session.reopen} carries on. */
  | { readonly code: 'conflict'; readonly length: number }
  /** A storage call failed. */
  | {
      readonly code: 'storage';
      /** `append`, `read-log` or `read-text`. */
      readonly operation: string;
      readonly error: StorageProblem;
    }
  /** A file could not be read, or the history written. `path` is absolute. */
  | { readonly code: 'filesystem'; readonly path: string; readonly problem: string }
  /** {@link ReentryError}: none of the contract's, since the call never reached the component. */
  | { readonly code: 'reentry' };

/**
 * A failed call. The session is as it was before.
 *
 * `message` is one sentence: what was wrong, where, and what would be right. Where a storage or a
 * filesystem threw, `cause` is what it threw.
 *
 * @example
 * ```ts
 * try {
 *   session.insertResult(call, { output });
 * } catch (error) {
 *   if (error instanceof WaybreadError && error.detail.code === 'conflict') session.reopen();
 *   else throw error;
 * }
 * ```
 */
export class WaybreadError extends Error {
  override readonly name: string = 'WaybreadError';
  /** What went wrong, for a program. */
  readonly detail: ErrorDetail;

  constructor(detail: ErrorDetail, message: string, options?: ErrorOptions) {
    super(message, options);
    this.detail = detail;
  }

  /** The name that the contract gives it: `call-answered`. */
  get code(): ErrorDetail['code'] {
    return this.detail.code;
  }
}

/** A session was used by its own storage or filesystem, in the middle of one of its calls. */
export class ReentryError extends WaybreadError {
  override readonly name = 'ReentryError';

  constructor() {
    super({ code: 'reentry' }, "a session's storage and filesystem can't use the session itself");
  }
}

/**
 * The component stopped in the middle of a call: it ran out of memory, or has a fault. `cause` is
 * what stopped it.
 *
 * Nothing that was stored is lost: the session has been opened again from its storage, or will be
 * by the next call. If the call had been stored by then, it has its result.
 */
export class TrappedError extends Error {
  override readonly name = 'TrappedError';

  constructor(cause: unknown) {
    super(
      `the component stopped in the middle of the call (${describe(cause)}); what was stored is ` +
        'kept, and the session goes on from there',
      { cause },
    );
  }
}

/** An exception's own words, whatever was thrown. */
export function describe(thrown: unknown): string {
  try {
    // An exception in JavaScript may have anything for its message and name.
    const words = thrown instanceof Error ? thrown.message || thrown.name : thrown;
    return String(words);
  } catch {
    return 'something that has no words was thrown';
  }
}
