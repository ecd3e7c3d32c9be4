/** Requests, what a provider reported of them, and what stands at their front. */
import type { Pressure } from './budget.js';
import type { Inserted } from './results.js';

/** A part of a request, in the order in which a model reads it. */
export type RequestPart = 'model' | 'tools' | 'system' | 'messages';

/**
 * Why a request differs from the previous one before the end of its messages.
 *
 * - `model`: another model; the system prompt was made again;
 * - `tools`: a server's tools were added (§10.4);
 * - `system`: the system prompt was made again;
 * - `turn-boundary-reasoning`: a turn began, and the turn before no longer carries its reasoning (§8);
 * - `earlier-results`: a turn began in a chat, and the turn before no longer carries its results (§2);
 * - `rewind`: messages were taken back;
 * - `compaction`: a summary took the place of messages, and the system prompt was made again (§7);
 * - `shortened`: results that a request held are shown shorter, since nothing else made room.
 * - `cache-breakpoint`: a breakpoint of the prompt cache moved, which is nothing that a model reads.
 */
export type DifferenceCause =
  | 'model'
  | 'tools'
  | 'system'
  | 'turn-boundary-reasoning'
  | 'earlier-results'
  | 'rewind'
  | 'compaction'
  | 'shortened'
  | 'cache-breakpoint';

/** Where a request first differs from the previous one. */
export interface Difference {
  readonly part: RequestPart;
  /** In `messages`: the number that the message had in this session. */
  readonly message?: number | undefined;
  readonly cause: DifferenceCause;
}

/** A request: its body, and how it stands to the one before. */
export interface Request {
  /** From 1, counted in the session. */
  readonly number: number;
  /**
   * The whole body, ready for `fetch(url, { method: 'POST', headers, body: request.body })`. It costs
   * what is new of it until somebody reads it, and stays as it is when later requests are built.
   */
  readonly body: string;
  /**
   * How many bytes (UTF-8) of the previous body stand; `tail` follows them. 0 for the first request
   * since the session was opened.
   */
  readonly keep: number;
  readonly tail: string;
  /** The body's length in bytes: `keep` and those of `tail`. */
  readonly length: number;
  /** SHA-256 of the whole body, 64 lowercase hex digits. */
  readonly sha256: string;
  /**
   * How many bytes, from the first, equal those of the session's previous request, whoever built it. 0
   * for the session's first.
   */
  readonly shared: number;
  /** Undefined if everything that the previous request had up to its last message stands. */
  readonly difference?: Difference | undefined;
  /** Results that calls got which were left open: they say that none came. */
  readonly closed: readonly Inserted[];
  /** How full the window is with this request. */
  readonly pressure: Pressure;
}

/** What a provider reported of one request, in tokens. */
export interface Usage {
  /** The whole prompt, what was cached of it included. */
  readonly input: number;
  /** Of it, read from the cache. Undefined: not reported. */
  readonly cached?: number | undefined;
  /** Of it, written to the cache. Undefined: not reported. */
  readonly written?: number | undefined;
  readonly output?: number | undefined;
}

/** One request in the cache report (§10.6). */
export interface RequestReport {
  readonly number: number;
  /** The body's length in bytes, and how many of them equal the previous request's. */
  readonly length: number;
  readonly shared: number;
  readonly difference?: Difference | undefined;
  readonly usage?: Usage | undefined;
}

/** What stands at the front of every request. */
export interface Prefix {
  readonly system: string;
  /** The tools as they are sent: a JSON array in the dialect. */
  readonly tools: string;
}
