/** Messages of the conversation, as they go in and as they are stored. */
import type { Inserted, ToolCall } from './results.js';
import type { Json } from './settings.js';

/**
 * Who speaks in a message that is no reply: `machine` is a job's or a team's note, a harness's task;
 * `subagent` is what a subagent brought, which the history archive leaves out.
 */
export type Sender = 'person' | 'machine' | 'subagent';

/**
 * Where a message stands (§8). `starts-turn`: earlier turns' reasoning is no longer sent, and notes
 * that wait go with it. `step-boundary`: it is delivered while a turn runs, and carries no note.
 */
export type Delivery = 'starts-turn' | 'step-boundary';

/** An image. */
export interface Image {
  /** `image/png`. */
  readonly mediaType: string;
  readonly base64: string;
}

/** A part of a message beside its text: exactly one of the four. */
export type Part =
  | { readonly text: string }
  | { readonly image: Image }
  | { readonly imageUrl: string }
  /** A content block as the dialect spells it. */
  | { readonly block: Json };

/** A message to the model. */
export interface UserMessage {
  /** Default `person`. */
  readonly sender?: Sender | undefined;
  /** Default `starts-turn`. */
  readonly delivery?: Delivery | undefined;
  /** Default empty, which is allowed if there are parts. */
  readonly text?: string | undefined;
  /** They follow the text. */
  readonly parts?: readonly Part[] | undefined;
  /**
   * The person's date, one line as the model is to read it (`2026-11-30`). A note tells it with the
   * session's first message and with the next that starts a turn after it changed.
   */
  readonly date?: string | undefined;
}

/** A model's reply. */
export interface Reply {
  /**
   * As the provider gave it: the whole response, or of it the message (OpenAI chat), the content
   * blocks (Anthropic) or the output items (OpenAI responses). The response's text keeps what the
   * provider wrote exactly; a value is spelled by `JSON.stringify`.
   */
  readonly json: Json;
  /**
   * Assembled from a stream that broke off: it is sent with a note that says so, and without its
   * calls, which nobody is to run. Default false.
   */
  readonly incomplete?: boolean | undefined;
}

/** What is added to the conversation: exactly one of the three. */
export type Message =
  | { readonly user: UserMessage }
  | { readonly reply: Reply }
  /**
   * The harness's message that asks for a last answer without tools (`wrap_up` of loop.json). The
   * tools stay listed; calls in the reply are answered with a refusal (§10.4).
   */
  | { readonly wrapUp: true };

/** A call of a reply. */
export interface ReplyCall {
  readonly call: ToolCall;
  /**
   * The result that the session gave in its place: the tool is unavailable or withdrawn, the reply
   * is that to a wrap-up, or the arguments are no JSON object. Undefined: the call is open, to be run.
   */
  readonly refused?: Inserted | undefined;
}

/** A skill that was told to the model, or taken back. */
export interface SkillChange {
  readonly name: string;
  readonly active: boolean;
}

/** A message as it was added. */
export interface Added {
  /** The message's number, from 1, never given twice in a session. */
  readonly number: number;
  /** The note that went with it (§10.3), as the model reads it. */
  readonly note?: string | undefined;
  /** Skills whose envelopes went ahead of its text. */
  readonly skills: readonly SkillChange[];
  /** A reply's calls, in its order. */
  readonly calls: readonly ReplyCall[];
  /** Results that calls got which were left open: they say that none came. */
  readonly closed: readonly Inserted[];
}

/**
 * Who a message of the conversation is from. `summary` is a compaction: its summary stands for what
 * came before.
 */
export type Speaker = Sender | 'model' | 'summary';

/** A message of the conversation, as it is stored. */
export interface StoredMessage {
  readonly number: number;
  readonly speaker: Speaker;
  readonly startsTurn: boolean;
  /** A reply's visible text, without reasoning; another message's text. */
  readonly text: string;
  /**
   * What {@link Session.addMessage} was given: a reply's JSON; another message's text, without the
   * envelopes of skills that went ahead of it.
   */
  readonly given: string;
  readonly note?: string | undefined;
  readonly incomplete: boolean;
  /** The ids of the results of a reply's calls, in the order of the calls; empty where one is open. */
  readonly results: readonly string[];
}
