/** A model that stands in for the main one, where that one's cache is cold (docs/compaction.md, "Fallback"). */
import type { Json } from './settings.js';

/** A model at a provider. */
export interface ModelRef {
  /** The provider's name, as the harness calls it. */
  readonly provider: string;
  /** The model's name at the provider. */
  readonly model: string;
}

/** A request to the main model that was answered. */
export interface MainRequest {
  readonly model: ModelRef;
  /** The key under which the provider caches prompts. Default empty, none. */
  readonly cacheKey?: string | undefined;
  /**
   * When, in whole milliseconds since any moment that stays the same: `Date.now()`. From 0 to
   * `Number.MAX_SAFE_INTEGER`.
   */
  readonly at: number;
}

/** What tells a cold cache from a warm one. */
export interface IdleTime {
  /** The key under which the provider caches prompts. Default empty, none. */
  readonly cacheKey?: string | undefined;
  /** The idle time that is still warm, in whole milliseconds. 0 switches the fallback off. */
  readonly afterMs: number;
  /** Now, in whole milliseconds, on the clock of {@link MainRequest.at}. */
  readonly now: number;
}

/**
 * Whether a compaction is better asked of another model. With `disabled` and `warm` nothing needs to be
 * resolved. `cold` says why: `no recent request`, `idle 12m > 5m`.
 */
export type FallbackDecision = 'disabled' | 'warm' | { readonly cold: string };

/** A model that stands in for the main one, with its limits. */
export interface FallbackModel extends ModelRef {
  /** As {@link Session.buildRequest} takes them, for this model. Default: none. */
  readonly parameters?: Json | undefined;
  /** Its window in tokens. Default 0: as `budget.models` and `budget.window` say. */
  readonly window?: number | undefined;
  /**
   * The most tokens that it writes. Default 0: as `budget.models` and `budget.max_output` say.
   */
  readonly maxOutput?: number | undefined;
  /** Why the cache is cold, as {@link Session.fallbackDue} said. Default empty. */
  readonly reason?: string | undefined;
}

/** Which model is asked for a summary. */
export type SummaryTarget =
  | 'main'
  | { readonly fallback: FallbackModel }
  /** The fallback could not be resolved or built, with its error. The main model is asked. */
  | { readonly unresolved: string };

/** What became of a fallback: it was `used`, or `skipped` and the main model asked instead. */
export type FallbackStatus = 'used' | 'skipped';

/** What became of a fallback. */
export interface FallbackUse {
  readonly status: FallbackStatus;
  /** `provider/model`; undefined where it could not be resolved. */
  readonly model?: string | undefined;
  readonly reason: string;
}
