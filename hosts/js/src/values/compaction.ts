/** A summary in the place of what came before (§7; docs/compaction.md). */
import type { Health, Pressure, TokenEstimate } from './budget.js';
import type { FallbackUse, ModelRef, SummaryTarget } from './fallback.js';
import type { Json } from './settings.js';

/** A compaction's stage: `emergency` has a shorter summary, and retains fewer turns. */
export type Stage = 'normal' | 'emergency' | 'shorten';

/** A compaction that is to begin. Each field may be left out. */
export interface Compaction {
  /** Default `normal`. */
  readonly stage?: Stage | undefined;
  /** The main model, as the harness calls it: needed for a fallback. */
  readonly main?: ModelRef | undefined;
  /** As {@link Session.buildRequest} takes them, for the main model. Default: none. */
  readonly parameters?: Json | undefined;
  /** Which model is asked for the summary. Default `main`. */
  readonly target?: SummaryTarget | undefined;
  /** What the person wants the summary to attend to. */
  readonly steering?: string | undefined;
}

/**
 * The request for a summary: a body of its own, which stands beside the session's last one. It is not
 * stored, and the next request goes on from the one before it
 * (docs/compaction.md, "The request for a summary").
 */
export interface SummaryRequest {
  readonly stage: Stage;
  /** The whole body, ready to be sent. It costs what is new of it until somebody reads it. */
  readonly body: string;
  /** How many bytes (UTF-8) of the previous request's body stand; `tail` follows them. */
  readonly keep: number;
  readonly tail: string;
  /** The body's length in bytes: `keep` and those of `tail`. */
  readonly length: number;
  /** SHA-256 of the whole body, 64 lowercase hex digits. */
  readonly sha256: string;
  /** Tokens of the request, as estimated for the model that is asked. */
  readonly estimate: TokenEstimate;
  /** The most tokens that the summary may have; it is in the body. 0: no limit is known. */
  readonly maxTokens: number;
  /** Messages that the summary covers. */
  readonly covers: number;
  /** Messages that stay as they are. */
  readonly retains: number;
  /** Whether the fallback is asked: the body is to be sent to it, and not to the main model. */
  readonly onFallback: boolean;
  readonly fallback?: FallbackUse | undefined;
  readonly health: Health;
}

/**
 * Why a compaction did not come about.
 *
 * Before the summary is asked for (docs/compaction.md, "What a stage covers"):
 *
 * - `nothing-to-summarise`: everything would be retained;
 * - `frees-too-little`: it would free less than `compaction.least_freed_percent`;
 * - `no-turn-since`: no reply was added since the compaction before;
 * - `request-does-not-fit`: the request for the summary does not fit the window;
 * - `retained-does-not-fit`: what would be retained does not fit the window by itself.
 *
 * Of the reply (docs/compaction.md, "The reply"):
 *
 * - `failed`: the provider failed;
 * - `cancelled`;
 * - `empty`: the reply says nothing;
 * - `only-calls`: the reply begins with a call, there is no text before it;
 * - `refused`: the model refused;
 * - `cut-off`: the reply ended at its limit;
 * - `too-long`: the summary is longer than its limit;
 * - `unreadable`: the reply could not be read.
 */
export type NotAppliedReason =
  | 'nothing-to-summarise'
  | 'frees-too-little'
  | 'no-turn-since'
  | 'request-does-not-fit'
  | 'retained-does-not-fit'
  | 'failed'
  | 'cancelled'
  | 'empty'
  | 'only-calls'
  | 'refused'
  | 'cut-off'
  | 'too-long'
  | 'unreadable';

/** A compaction that did not come about. The conversation is as it was. */
export interface NotApplied {
  readonly stage: Stage;
  readonly reason: NotAppliedReason;
  /** One sentence for people. */
  readonly message: string;
  /** Whether the same is to be begun again with the target `main`: the fallback failed. */
  readonly rerunOnMain: boolean;
  readonly fallback?: FallbackUse | undefined;
  /**
   * Whether the provider's own state of the conversation is gone, so that the next request must not
   * name it.
   */
  readonly stateCleared: boolean;
}

/** What {@link Session.compactBegin} answers: one of the two. */
export type CompactionStart =
  | { readonly request: SummaryRequest; readonly notApplied?: undefined }
  | { readonly request?: undefined; readonly notApplied: NotApplied };

/** What came of the request for a summary: exactly one of the three. */
export type SummaryOutcome =
  /**
   * The reply itself, what {@link Reply.json} holds; best the whole response: it tells a refusal and a cut.
   */
  | { readonly reply: Json }
  /** The provider's error, in its words. */
  | { readonly failed: string }
  | { readonly cancelled: true };

/** A subagent whose result is still to come. */
export interface PendingSubagent {
  readonly id: string;
  /** What kind of subagent it is. */
  readonly kind: string;
  /** `running`, `queued`, `finished`. */
  readonly state: string;
}

/** What is to be known when a compaction is finished. */
export interface FinishOptions {
  /**
   * Whether a stateful provider dropped its own state of the conversation, be it by the reply, by a
   * signal or by its error. Default false.
   */
  readonly stateRetired?: boolean | undefined;
  /** They are named to the model at the end of what is retained. Default: none. */
  readonly pendingSubagents?: readonly PendingSubagent[] | undefined;
}

/** A compaction that came about (docs/compaction.md, "What a compaction leaves"). */
export interface Compacted {
  readonly stage: Stage;
  /** The generation of the conversation that began with it. The session began with 1. */
  readonly generation: number;
  /** The number of the message that holds the summary. */
  readonly message: number;
  /** As the model wrote it. */
  readonly summary: string;
  /** What the next request holds of it: frame, archive note and table. */
  readonly text: string;
  /** Messages that it covers. */
  readonly covered: number;
  /** Messages that stay. */
  readonly retained: number;
  /** The next request's tokens, as they were. */
  readonly tokensBefore: number;
  /** The next request's tokens, as they are. */
  readonly tokensAfter: number;
  /** What is to be done now: `emergency` if it was not enough. */
  readonly pressure: Pressure;
  readonly health: Health;
  readonly fallback?: FallbackUse | undefined;
  /** As {@link NotApplied.stateCleared}. */
  readonly stateCleared: boolean;
  /** What went wrong beside it: the history archive. */
  readonly warnings: readonly string[];
}

/** What {@link Session.compactFinish} answers: one of the two. */
export type CompactionEnd =
  | { readonly applied: Compacted; readonly notApplied?: undefined }
  | { readonly applied?: undefined; readonly notApplied: NotApplied };

/** A generation of the conversation: what was between two compactions. */
export interface Generation {
  /** From 1. The last one is active. */
  readonly number: number;
  /** Messages that it has, its summary and what was retained included. */
  readonly messages: number;
  /** The stage of the compaction that it began with; undefined of the first. */
  readonly stage?: Stage | undefined;
  /** The summary that it began with, as the model wrote it. */
  readonly summary?: string | undefined;
  /** `provider/model` of a fallback that wrote it. */
  readonly fallback?: string | undefined;
}

/**
 * What is worth keeping of a session beside its conversation
 * (docs/compaction.md, "State beside the conversation").
 */
export interface ContextState {
  /**
   * The newest calls of the active generation, `state.calls` (3) at most, oldest first: the tool's name
   * and its summarised arguments.
   */
  readonly recentCalls: readonly string[];
  /** Turns that began, without those taken back. */
  readonly turns: number;
}
