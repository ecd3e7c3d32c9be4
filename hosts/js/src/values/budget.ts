/** How many tokens a request has, and how full the model's window is (docs/compaction.md). */

/**
 * What a number of tokens was counted by: the estimate alone (`weights`, docs/tokens.md), or the
 * estimate corrected by what the provider reported of this model's requests (`provider-usage`).
 */
export type TokenStrategy = 'weights' | 'provider-usage';

/** How far a number of tokens can be relied on (docs/compaction.md, "Tokens of a request"). */
export type Confidence = 'low' | 'medium' | 'high';

/** How many tokens a request has. */
export interface TokenEstimate {
  /** What everything is compared by: corrected where usage was reported. */
  readonly tokens: number;
  /** As estimated, without correction. */
  readonly raw: number;
  readonly strategy: TokenStrategy;
  readonly confidence: Confidence;
}

/**
 * What to do before a request is sent.
 *
 * - `none`: send it;
 * - `compact`: compact in the stage `normal` first;
 * - `emergency`: compact in the stage `emergency` first: `normal` can't help, did not, or not enough;
 * - `shorten`: send it: no summary can make room, so `buildRequest` shows results shorter until it fits; the
 *   pressure's `reason` says how many and how short;
 * - `stop`: it can't be sent, and neither a compaction nor shorter results help. The pressure's `reason` is the error to show.
 */
export type PressureAction = 'none' | 'compact' | 'emergency' | 'shorten' | 'stop';

/** How much a person has to care. */
export type Severity = 'info' | 'warning' | 'critical';

/**
 * What is to be said of a session's context.
 *
 * - `compacting`: a compaction begins;
 * - `stable`;
 * - `fragile`: what is left is still far over the limit, or this turn was compacted before;
 * - `likely-lossy`: much of what the model knew is probably gone.
 */
export type HealthState = 'compacting' | 'stable' | 'fragile' | 'likely-lossy';

/** What a harness tells the person of the session's context (docs/compaction.md, "Escalation"). */
export interface Health {
  readonly severity: Severity;
  readonly state: HealthState;
  /** A sentence: carry on, restart soon, restart now (`escalation.guidance`). */
  readonly guidance: string;
}

/** How full the model's window is with the next request (docs/compaction.md, "Pressure"). */
export interface Pressure {
  readonly estimate: TokenEstimate;
  /** The model's context window in tokens; 0: not known, and nothing is to be done. */
  readonly window: number;
  /** From how many tokens on a compaction is due; 0 without a window. */
  readonly softLimit: number;
  /** `window` without the safety margin, in tokens. */
  readonly hardLimit: number;
  /** Tokens kept free for the reply. */
  readonly reserve: number;
  /** Tokens kept free for what the estimate misses. */
  readonly margin: number;
  /**
   * What was compared with the soft limit, in tokens: `estimate.tokens`, or of a stateful provider the
   * usage that it reported last.
   */
  readonly used: number;
  /** Whether prompt, reserve and margin fit the window. */
  readonly fits: boolean;
  readonly action: PressureAction;
  /** With `stop` the error. With `none`, where a compaction is due and is not started, why. */
  readonly reason?: string | undefined;
  /** Told with `stop`. */
  readonly health?: Health | undefined;
}
