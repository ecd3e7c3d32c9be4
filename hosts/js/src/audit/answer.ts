/** What came of an audit. The names are those of the JSON that every host writes. */

/** Where two requests first differ, why, and what that costs. */
export interface Audit {
  /** The dialect of the later body. */
  readonly dialect: 'openai-chat' | 'anthropic-messages' | 'openai-responses';
  /** Whether the later prompt does not begin with the whole earlier one. */
  readonly broken: boolean;
  /** Why it differs where it first does: `date`, `tool-order`, … (docs/audit.md). */
  readonly cause: string;
  /** The part that the difference is in; null where there is none. */
  readonly part: 'model' | 'tools' | 'system' | 'message' | null;
  /** The place in the body's list of messages, from 0, where the part is a message. */
  readonly message: number | null;
  /** The path in the body: of what is gone, in the earlier one, else in the later one. */
  readonly path: string | null;
  /** What changed, in words. */
  readonly what: string;
  /** What stood around the difference before. */
  readonly previous: string | null;
  /** What stands there now. */
  readonly next: string | null;
  /**
   * The byte, from 0, at which the bodies first differ as they were sent; null where they are the
   * same bytes.
   */
  readonly byte: number | null;
  readonly chars: Chars;
  /** The share of the later prompt that was read again, in percent with one decimal. */
  readonly again_percent: string;
  /** Parameters that changed and can drop a provider's cache although the prompt is the same. */
  readonly parameters: readonly Parameter[];
  /** Breakpoints that moved; no difference to the model. */
  readonly cache_control: Breakpoints;
  /** Thinking that the difference makes invalid, for models that bind it to what stands before it; null for none. */
  readonly thinking: InvalidThinking | null;
}

/** Thinking blocks of the later body that stand behind something else than they were made behind. */
export interface InvalidThinking {
  /** How many blocks. */
  readonly blocks: number;
  /** The message of the first one, in the later body's list. */
  readonly message: number;
}

/** Characters of two prompts. `next` is the sum of `kept`, `again` and `new`. */
export interface Chars {
  /** The earlier prompt. */
  readonly previous: number;
  /** The later prompt. */
  readonly next: number;
  /** What the later prompt begins with as the earlier one does. */
  readonly kept: number;
  /** What follows the first difference although the earlier prompt had it: read again. */
  readonly again: number;
  /** What the earlier prompt did not have. */
  readonly new: number;
}

/** A parameter that changed. */
export interface Parameter {
  /** Where it first differs: `thinking.budget_tokens`. */
  readonly path: string;
  /** Its value as JSON, cut if it is long; null where it was not given. */
  readonly previous: string | null;
  /** The same of the later request. */
  readonly next: string | null;
}

/** Paths of `cache_control` that only one of the bodies has, with its lifetime, if it has one. */
export interface Breakpoints {
  /** In the later body only. */
  readonly added: readonly string[];
  /** In the earlier body only. */
  readonly removed: readonly string[];
}

/** What came of a list. */
export interface AuditList {
  /** Records in the list, those without a request included. */
  readonly records: number;
  /** One for each request after the first. */
  readonly audits: readonly RequestAudit[];
  /** Records that hold no request that can be compared. */
  readonly skipped: readonly Skipped[];
  readonly total: ListTotal;
}

/** A request of a list, compared with the one before it. */
export interface RequestAudit extends Audit {
  /** Its place in the list, from 0. */
  readonly request: number;
  /** The place of the request that it is compared with. */
  readonly after: number;
}

/** A record without a request that can be compared, and why. */
export interface Skipped {
  /** Its place in the list, from 0. */
  readonly request: number;
  readonly message: string;
}

/** The sum of a list's audits. */
export interface ListTotal {
  /** Requests that were compared with the one before them. */
  readonly compared: number;
  /** Those that are broken. */
  readonly broken: number;
  /** Their causes, the one first for which most was read again. */
  readonly causes: readonly CauseCount[];
  readonly chars: Chars;
  /** The share that was read again, in percent with one decimal. */
  readonly again_percent: string;
}

/** How often a cause was found, and the characters that were read again for it. */
export interface CauseCount {
  readonly cause: string;
  readonly count: number;
  readonly again: number;
}
