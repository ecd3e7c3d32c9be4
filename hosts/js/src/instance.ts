/** A session's instance of the component. */
import type { Component } from './component.js';
import { ReentryError, TrappedError } from './errors.js';
import { failureOf } from './failures.js';
import type * as Context from './generated/interfaces/waybread-context-context.js';
import { Imports } from './imports.js';
import type { Hosts } from './ports.js';

/** Opens a session in an instance of its own, and again from storage where the instance is lost. */
export class Instance {
  readonly #component: Component;
  readonly #key: string;
  readonly #settings: Context.Settings;
  readonly #imports: Imports;
  /** Absent where the next call opens it from storage: after a trap, or an append that may be written. */
  #inner: Context.Session | undefined;
  #calling = false;

  constructor(component: Component, key: string, settings: Context.Settings, hosts: Hosts) {
    this.#component = component;
    this.#key = key;
    this.#settings = settings;
    this.#imports = new Imports(hosts);
    this.call(() => undefined);
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
    const context = this.#component.instantiate(this.#imports.object);
    return context.Session.open(this.#key, this.#settings);
  }
}
