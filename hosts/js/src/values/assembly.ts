/** What the prompt was made of, and skills that come and go (docs/assembly.md). */
import type { PromptPart } from './settings.js';

/** Whose words a block of the prompt is: the system prompt's, or a user's message in front. */
export type Zone = 'system' | 'user';

/** A block of the prompt as it was made. */
export interface PromptBlock {
  /** Undefined: a block of the component's own (environment, context, the frame of skills). */
  readonly part?: PromptPart | undefined;
  /** As the prompt names it; the own blocks are `environment`, `context`, `skills`. */
  readonly name: string;
  readonly zone: Zone;
  /** Bytes (UTF-8) of its text in the prompt. */
  readonly bytes: number;
  /** Bytes of its text as it was given or read. */
  readonly givenBytes: number;
  /** Whether its budget cut it; with 0 `bytes` nothing was left of the budget. */
  readonly truncated: boolean;
}

/** A skill, as the harness knows it. */
export interface SkillState {
  readonly name: string;
  /** Whether it is switched on. */
  readonly enabled: boolean;
  /** Whether the model was last told that it is active. */
  readonly active: boolean;
}

/** A skill's text that was cut. */
export interface SkillTruncated {
  /** Bytes (UTF-8) of its text. */
  readonly bytes: number;
  /** The most that are sent (`assembly.skill_bytes`). */
  readonly cap: number;
}
