/** A session's instance of the component. */
import type { Component } from './component.js';
import { ReentryError, TrappedError } from './errors.js';
import { failureOf } from './failures.js';
import type * as Context from './generated/interfaces/waybread-context-context.js';
import { Imports } from './imports.js';
import type { Hosts } from './ports.js';

/** What a session is opened with. */
interface Opening {
  readonly component: Component;
  readonly key: string;
  readonly settings: Context.Settings;
  readonly hosts: Hosts;
}

/** Opens a session in an instance of its own, and again from storage where the instance is lost. */
export class Instance {
  readonly #opening: Opening;
  readonly #imports: Imports;
  /** Absent where the next call opens it from storage: after a trap, or an append that may be written. */
  #inner: Context.Session | undefined;
  #calling = false;

  private constructor(opening: Opening) {
    this.#opening = opening;
    this.#imports = new Imports(opening.hosts);
  }

  /** Opens the session. */
  static open(opening: Opening): Instance {
    const instance = new Instance(opening);
    instance.call(() => undefined);
    return instance;
  }

  /** Does one call, and makes of what it throws an error of this library. */
  call<T>(work: (inner: Context.Session) => T): T {
    // The component can't be entered twice.
    if (this.#calling) throw new ReentryError();
    this.#calling = true;
    this.#imports.begin();
    try {
      this.#inner ??= this.#begin();
      return work(this.#inner);
    } catch (error) {
      throw this.#failure(error);
    } finally {
      // An append that failed and yet was written: the instance would be behind its storage.
      if (this.#imports.uncertain) this.#inner = undefined;
      this.#calling = false;
    }
  }

  /**
   * A subagent's session, in an instance of its own.
   *
   * The component's `delegate` checks everything, and writes both logs. The session that it hands over
   * lives in this instance, where a trap of the one would take the other along; so it is dropped, and
   * opened anew like any other session: by its first call, since this one has been written by now and must
   * not fail any more.
   */
  delegate(delegation: Context.Delegation): Instance {
    this.call((inner) => {
      drop(inner.delegate(delegation));
    });
    // Its prompt and its tools stand in its log.
    const settings = { ...this.#opening.settings, ...PROMPT_KEPT };
    return new Instance({ ...this.#opening, key: delegation.key, settings });
  }

  /** Reads the log again. */
  reopen(): void {
    this.call(() => {
      this.#inner = undefined;
      this.#inner = this.#begin();
    });
  }

  #failure(error: unknown): Error {
    const failure = failureOf(error, this.#imports.thrown);
    if (failure instanceof TrappedError && this.#inner !== undefined) this.#recover();
    return failure;
  }

  /** The instance that trapped is not touched again. */
  #recover(): void {
    this.#inner = undefined;
    try {
      this.#inner = this.#begin();
    } catch {
      // The caller hears of the trap; the next call opens the session and says why it can't.
    }
  }

  #begin(): Context.Session {
    const { component, key, settings } = this.#opening;
    const context = component.instantiate(this.#imports.object);
    return context.Session.open(key, settings);
  }
}

/** An `open` that says nothing of the prompt keeps it as the log has it. */
const PROMPT_KEPT: Pick<Context.Settings, 'prompt' | 'assembly'> = {
  prompt: { sources: [], told: [] },
  assembly: {
    scope: '',
    instructions: false,
    contextFiles: [],
    ignore: [],
    skillRoots: [],
    skills: [],
  },
};

/** Gives a session's memory back. Its method is named as the glue does where the engine has no symbol. */
function drop(session: Context.Session): void {
  const symbol = (Reflect.get(Symbol, 'dispose') as symbol | undefined) ?? Symbol.for('dispose');
  const dispose: unknown = Reflect.get(session, symbol);
  if (typeof dispose === 'function') Reflect.apply(dispose, session, []);
}
