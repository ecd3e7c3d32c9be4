/** What a session needs of its host: durable strings, and a view of files. */

/** The full text of one result. */
export interface StoredText {
  /** The result's id as the model sees it, `#0012`. Unique in the session. */
  readonly id: string;
  /** The text, of any length, the empty one included. */
  readonly text: string;
}

/**
 * Durable sessions: an append-only log of records and the full text of every result. A storage
 * never reads a record, and gives every string back exactly as it got it, NUL included.
 *
 * The methods are synchronous. They throw a {@link StorageError}; any other exception counts as
 * `other`. Neither harms the session: the call fails and nothing has changed. After an append that
 * threw anything but a `StorageError`, the next call opens the session again, in case it was written.
 */
export interface Storage {
  /**
   * Appends to a session's log, and stores the texts that belong to it, in one atomic step: all of
   * it or, on any error, nothing. A session that was never written has length 0. When the call
   * returns, what it wrote survives a crash.
   *
   * Throws `conflict` if the log holds other than `expectedLength` records.
   */
  append(
    session: string,
    expectedLength: number,
    records: readonly string[],
    texts: readonly StoredText[],
  ): void;

  /** The records of a session, in order, from position `start` (0 is the first). */
  readLog(session: string, start: number): readonly string[];

  /** One stored text, whole. Throws `not-found` if the session has no text with that id. */
  readText(session: string, id: string): string;
}

/** A file as it was read. */
export interface File {
  /**
   * What identifies the file: its absolute path with symbolic links followed and, where the disk
   * ignores case, the case it has on disk. One file has one identity, whatever it was reached by.
   */
  readonly identity: string;
  /** The whole content. */
  readonly bytes: Uint8Array;
}

/**
 * A read-only view of the files that a session's tools work on. Paths are absolute and free of `.`
 * and `..`: the session has resolved them against the project root.
 *
 * The library hashes the bytes and checks that they are UTF-8. The methods are synchronous and
 * throw a {@link FileError}; any other exception fails the call with its message.
 */
export interface FileSystem {
  /** A file's identity, without reading it: the same string as {@link File.identity}. */
  identify(path: string): string;

  /** The whole file, with its identity. Both belong to the same moment. */
  read(path: string): File;
}

/** What a session works with. */
export interface Hosts {
  readonly storage: Storage;
  readonly filesystem: FileSystem;
}
