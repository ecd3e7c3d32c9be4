/** What fills the window (docs/assembly.md, "What fills the window"). */
import type { Pressure } from './budget.js';

/**
 * What a part of a request is.
 *
 * - `system`: texts of the system prompt; `front`: those that it put in front, as a user's words;
 * - `tools`; `skills`: skills that come and go; `summary`: a compaction's;
 * - `person`, `machine`, `subagent`: their messages; `notes`: what they were told beside them;
 * - `replies`: the model's words; `reasoning`; `calls`: their arguments;
 * - `results`: those of one tool;
 * - `framing`: model, parameters and the JSON around everything.
 */
export type ContextKind =
  | 'system'
  | 'front'
  | 'tools'
  | 'skills'
  | 'summary'
  | 'person'
  | 'machine'
  | 'subagent'
  | 'notes'
  | 'replies'
  | 'reasoning'
  | 'calls'
  | 'results'
  | 'framing';

/** A part of a request. */
export interface ContextPart {
  readonly kind: ContextKind;
  /** A source's, a tool's or a skill's name; empty for the others. */
  readonly name: string;
  /** How many there are. */
  readonly count: number;
  /** Bytes (UTF-8) in the body. Those of all parts add up to the body's length. */
  readonly bytes: number;
  /** Estimated tokens. Those of all parts may differ from the request's by rounding. */
  readonly tokens: number;
}

/** One of the largest results in a request. */
export interface BigResult {
  /** As the model sees it, `#0012`. */
  readonly id: string;
  readonly tool: string;
  readonly bytes: number;
  readonly tokens: number;
}

/** What fills the window with the next request. */
export interface ContextReport {
  /** The body's length in bytes (UTF-8). */
  readonly bytes: number;
  readonly pressure: Pressure;
  readonly parts: readonly ContextPart[];
  /** The largest first, at most `report.biggest` of them. */
  readonly biggest: readonly BigResult[];
}
