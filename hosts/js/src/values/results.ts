/** Tool calls, what came of them, and what goes to the model. */

/** A model's tool call, as the provider gave it. */
export interface ToolCall {
  /**
   * The provider's id of the call, not empty. In a session of results only it is unique; with a
   * dialect it is that of an open call of the last reply.
   */
  readonly id: string;
  /** The tool's name: decides whether equal results are deduplicated (§6). */
  readonly name: string;
  /** The arguments exactly as the model wrote them. */
  readonly arguments: string;
}

/** Which lines are asked for. */
export interface LineWindow {
  /** The first line, from 1. 0 and none read as 1. */
  readonly offset?: number | undefined;
  /**
   * How many lines: at most, and by default, 2000, and only as many as have 100,000 characters. 0 and
   * none read as the default.
   */
  readonly limit?: number | undefined;
}

/** What a recall shows of a stored result: lines, or characters of one line that is too long. */
export interface RecallWindow extends LineWindow {
  /** The first character of the one line `offset`, from 1. 0 and none read as 1. */
  readonly charOffset?: number | undefined;
  /** How many characters of that line. 0 and none read as all that fit. */
  readonly charLimit?: number | undefined;
}

/** A read of a file, which the session does itself through its filesystem. */
export interface ReadRequest extends LineWindow {
  /** The path as the call gave it. The answer's bracket repeats it. */
  readonly path: string;
  /** Answer in full even where a stub would do: for callers that are programs. */
  readonly force?: boolean | undefined;
}

/** One file that a tool created, changed or deleted. The tool has done so already. */
export interface FileChange {
  /** The path as the call gave it. */
  readonly path: string;
  /** The content before: text, or raw bytes; none if the file is new. */
  readonly before?: string | Uint8Array | undefined;
  /** The content after: text, or raw bytes; none if the file was deleted. */
  readonly after?: string | Uint8Array | undefined;
}

/** What `edit`, `multiedit`, `apply_patch` or `write` did (§5). */
export interface ChangeSet {
  /** At least one, in the patch's order. */
  readonly files: readonly FileChange[];
  /** A note that the tool adds. It follows the diff. */
  readonly note?: string | undefined;
}

/** What a subagent brought. */
export interface Delegated {
  /** The key of its session, as {@link Session.delegate} was given it. */
  readonly key: string;
  /** Its answer: held to `delegation.max_chars`, and stored in full. */
  readonly text: string;
}

/** What came of a tool call: exactly one of the five. */
export type Outcome =
  /** §1, §2: the file's lines, or a stub. */
  | { readonly read: ReadRequest }
  /** §5: diffs. */
  | { readonly changes: ChangeSet }
  /** §3, §6: text, capped; a stub where the tool is in `dedupe.by_result`. */
  | { readonly output: string }
  /** The tool failed: its message, capped like any output, never deduplicated. */
  | { readonly failure: string }
  /** A subagent's answer. */
  | { readonly delegated: Delegated };

/**
 * Which measure shaped an answer: none (`full`), head and tail (`capped`, §3), a stub for an
 * unchanged re-read (§2), a stub for the same result (§6); `failed` is a call that failed or was
 * refused with a sentence for the model.
 */
export type Treatment = 'full' | 'capped' | 'unchanged-read' | 'same-result' | 'failed';

/** A result as it was inserted. */
export interface Inserted {
  /** `#0012` (§1): never given twice in a session. */
  readonly id: string;
  /** What goes to the model, whole, bracket included. */
  readonly text: string;
  readonly treatment: Treatment;
  /** The id that a stub names. */
  readonly refersTo?: string | undefined;
  /** Unicode scalar values the model would have been shown had no measure acted. */
  readonly charsIn: number;
  /** Unicode scalar values of `text`. */
  readonly charsOut: number;
}

/** The newest full read of a file. */
export interface LastRead {
  readonly id: string;
  /** The path as that read's call gave it. */
  readonly path: string;
  /** Lines shown whole, from 1; both 0 for an empty file, and where the one line was cut. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** The file's length in lines. */
  readonly totalLines: number;
  /** SHA-256 of the content that was read, 64 lowercase hex digits. */
  readonly sha256: string;
}
