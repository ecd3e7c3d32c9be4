/** What a request held, and where two of them part (docs/assembly.md, "Snapshots"). */

/** A message's hash, for a diagnosis of the prompt cache. */
export interface MessageHash {
  /** The message's number; undefined of one that the prompt put in front. */
  readonly message?: number | undefined;
  /** `system`, `user`, `assistant`, `tool`. */
  readonly role: string;
  /** The first four bytes of SHA-256, 8 lowercase hex digits; empty of an empty message. */
  readonly hash: string;
}

/** What the newest request held: a copy, which nothing that happens later reaches. */
export interface Snapshot {
  /** The request's number. */
  readonly request: number;
  readonly messages: readonly MessageHash[];
  /** Bytes (UTF-8) of all messages' roles and contents. */
  readonly promptBytes: number;
  /** Bytes of the prompt's blocks. */
  readonly blocksBytes: number;
  /** Bytes of the tools as they are encoded. */
  readonly toolsBytes: number;
  /** The most tokens that the reply may have, if the request says so. */
  readonly maxTokens?: number | undefined;
}

/** What two snapshots have in common. */
export interface Diagnosis {
  /** Whether there is an earlier one: nothing shared and nothing to share are not the same. */
  readonly predecessorKnown: boolean;
  /** How many messages are equal, from the first on. */
  readonly shared: number;
  /** How many messages the earlier one has. */
  readonly earlier: number;
  /**
   * The number of the message at which they part, in the later one; undefined if all of the earlier one
   * stands, or if that message has none.
   */
  readonly differsAt?: number | undefined;
  /** A hash of the part that is shared, 8 lowercase hex digits; empty if nothing is. */
  readonly prefix: string;
}
