/** Subagents: a part of the work that is given away (docs/assembly.md, "Subagents"). */
import type { Assembly, Prompt } from './settings.js';

/** A subagent to which a part of the work is given. */
export interface Delegation {
  /**
   * The key of its session: one line, without control characters, `<` and `;`. Not that of a session that
   * exists, but for one that this session delegated before (a follow-up), or that holds nothing but the
   * opening that it would get.
   */
  readonly key: string;
  /** What kind of subagent it is: a line like `key`. */
  readonly kind: string;
  /**
   * Its prompt. What the parent's is made of is not inherited, but for the session's date. Default: no
   * sources; a follow-up keeps the prompt that the subagent has.
   */
  readonly prompt?: Prompt | undefined;
  /**
   * What is read for its prompt: the parent's is not inherited. Default: nothing; a follow-up keeps what the
   * subagent has.
   */
  readonly assembly?: Assembly | undefined;
  /**
   * The tools that it is offered, of the parent's. Default: all. A follow-up goes on with the subagent's own;
   * names that leave out one of them are refused.
   */
  readonly onlyTools?: readonly string[] | undefined;
}

/** A subagent of a session. */
export interface DelegateState {
  readonly key: string;
  readonly kind: string;
  /** `running`, `queued`, `finished` or what the harness says. Empty once it ended. */
  readonly state: string;
}
