/** What came of a replay. The names are those of the JSON that every host writes. */

/** The report on replayed files. Every count of `total` is the sum over `sessions`. */
export interface Report {
  /** Files that were handed in, broken ones included. */
  readonly files: number;
  /** In the order of the files. */
  readonly sessions: readonly SessionReport[];
  readonly total: Counts;
  /** The sessions' requests under each policy, added up. */
  readonly policies: readonly Policy[];
  /** The sessions' windows, added up, if there was one. */
  readonly window?: WindowReport;
  /** Files that hold nothing to replay. */
  readonly failed_files: readonly FailedFile[];
}

/** One session's counts. */
export interface SessionReport {
  readonly file: string;
  /** The recognised format. */
  readonly format: string;
  readonly name: string;
  readonly counts: Counts;
  /** Its requests under each policy. */
  readonly policies: readonly Policy[];
  /** What became of it in a window, if there was one. */
  readonly window?: WindowReport;
}

/** A file without a session, and why. */
export interface FailedFile {
  readonly file: string;
  readonly error: ImportError;
}

/** Why a recording could not be read. */
export interface ImportError {
  /** The line, from 1, at which reading failed; none where no one line is at fault. */
  readonly line?: number;
  readonly message: string;
}

/**
 * What came of a session, or of all of them. `results` is the sum of `full`, `capped`, `unchanged`,
 * `same_search` and `failed`; a result with an error is in `errors` alone.
 */
export interface Counts {
  /** Contexts: a compaction begins a new one, a subagent has its own. */
  readonly contexts: number;
  readonly results: number;
  /** Results that are reads of a file, whatever became of them. */
  readonly reads: number;
  readonly full: number;
  /** Unchanged re-reads turned into stubs (§2). */
  readonly unchanged: number;
  /** Those of `unchanged` that rest on lines which the recording does not show. */
  readonly assumed: number;
  /** Repeated searches turned into stubs (§6). */
  readonly same_search: number;
  /** Results cut to head and tail (§3). */
  readonly capped: number;
  readonly failed: number;
  /** Characters the model would have been shown without the rules. */
  readonly chars_in: number;
  /** Characters the model is shown. */
  readonly chars_out: number;
  /** The share of `chars_in` that is saved, in percent with one decimal: `24.5`. */
  readonly saved_percent: string;
  /** Plain shell reads in the recording. */
  readonly shell_reads: number;
  /** Those that repeat lines of an unchanged file. */
  readonly shell_rereads: number;
  /** What the recording harness had done itself; not counted as a saving. */
  readonly harness_measures: readonly { readonly measure: string; readonly count: number }[];
  /** What was replayed only as recorded text or not at all, and why. */
  readonly not_replayed: readonly Reason[];
  /** Parts of a request that recordings do not hold, and how many sessions lack each. */
  readonly lacks: readonly { readonly part: string; readonly sessions: number }[];
  /** Results, messages and requests that the session refused. */
  readonly errors: number;
}

/**
 * The requests of a session, or of all of them, under one policy, in characters of what a model
 * reads. `sent` is `kept` and `reread`.
 */
export interface Policy {
  /** `full-history`, `waybread`, `prune-old-outputs`, `sliding-window` or `clear-tool-uses`. */
  readonly policy: string;
  /** The policy's numbers and texts. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly requests: number;
  readonly sent: number;
  /** What the request before began with too. */
  readonly kept: number;
  /** What had to be read. */
  readonly reread: number;
  /** Of that, what was in messages that the request before had too. */
  readonly again: number;
  /** Requests that did not keep all of the one before. */
  readonly breaks: number;
  /** `kept` in percent of `sent`, with one decimal: `97.6`. */
  readonly kept_percent: string;
}

/**
 * What became of a session, or of all of them, in a window (docs/replay.md, "With a window"). What is read
 * and costs is in tokens.
 */
export interface WindowReport {
  /** The window's numbers. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Requests that were sent. */
  readonly requests: number;
  /** Compactions that were applied in the stage `normal`. */
  readonly normal: number;
  /** Compactions that were applied in the stage `emergency`. */
  readonly emergency: number;
  /** Compactions that came to nothing: `emergency: nothing-to-summarise`. */
  readonly not_applied: readonly Reason[];
  /** Requests that were sent although a compaction was due. */
  readonly held: readonly Reason[];
  /** Requests that were not sent. */
  readonly stopped: readonly Reason[];
  /** The largest request. */
  readonly largest: number;
  /** The most that one takes of its window: prompt, reserve and margin. */
  readonly largest_filled: number;
  /** Requests that take more than the window. */
  readonly over: number;
  /** What the requests for a summary read, with the prefix kept. */
  readonly summary_read: number;
  /** What they would read with the conversation as text in a request of its own. */
  readonly pasted_read: number;
  /** What the first request after a compaction reads. */
  readonly next_read: number;
  /** `summary_read` and `next_read`. */
  readonly kept_cost: number;
  /** `pasted_read` and `next_read`. */
  readonly pasted_cost: number;
}

/** One reason, and how often it applied. */
export interface Reason {
  readonly reason: string;
  readonly count: number;
  /** The first line of the file, from 1, where it applied. */
  readonly first_line?: number;
}
