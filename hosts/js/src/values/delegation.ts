/** Subagents: a part of the work that is given away (docs/assembly.md, "Subagents"). */
import type { Prompt } from './settings.js';

/** A subagent to which a part of the work is given. */
export interface Delegation {
  /**
   * The key of its session: one line, without `<` and `;`. Not that of a session that exists, but for one
   * that this session delegated before: that is a follow-up.
   */
  readonly key: string;
  /** What kind of subagent it is: one line, without `<` and `;`. */
  readonly kind: string;
  /**
   * Its prompt. What the parent's is made of is not inherited, but for the session's date. Default: no
   * sources.
   */
  readonly prompt?: Prompt | undefined;
  /** The tools that it is offered, of the parent's. Default: all. */
  readonly onlyTools?: readonly string[] | undefined;
}

/** A subagent of a session. */
export interface DelegateState {
  readonly key: string;
  readonly kind: string;
  /** `running`, `queued`, `finished` or what the harness says. Empty once its result was given. */
  readonly state: string;
}
