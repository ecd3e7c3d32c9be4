/** One conversation's context. */
import * as toGlue from './arguments.js';
import { loadComponent, type Component } from './component.js';
import { failureOf } from './failures.js';
import { ReentryError, TrappedError } from './errors.js';
import type * as Context from './generated/interfaces/waybread-context-context.js';
import { Imports } from './imports.js';
import type { Hosts } from './ports.js';
import type { Inserted, LastRead, LineWindow, Outcome, Settings, ToolCall } from './values.js';

/**
 * One conversation's context: its results, their ids and the dedupe table.
 *
 * Every method but {@link Session.open} is synchronous. A call that fails throws a
 * {@link WaybreadError} and changes nothing; a {@link TrappedError} means that the component
 * stopped and the session was opened again from its storage. A refusal that is meant for the model
 * (a file that is not there, an id that was never given) is no error: it is a result like any other.
 *
 * @example
 * ```ts
 * const hosts = { storage: new MemoryStorage(), filesystem: new MemoryTree({ '/app/a.ts': 'x\n' }) };
 * const session = await Session.open('session-1', { root: '/app' }, hosts);
 * const call = { id: 'call-1', name: 'read', arguments: '{"path":"a.ts"}' };
 * session.insertResult(call, { read: { path: 'a.ts' } }).text;
 * // [#0001 a.ts lines 1-1 of 1 sha 73cb3858]
 * // 1: x
 * ```
 */
export class Session {
  readonly #component: Component;
  readonly #key: string;
  readonly #settings: Context.Settings;
  readonly #imports: Imports;
  /** Absent where the next call opens it from storage: after a trap, or an append that may be written. */
  #inner: Context.Session | undefined;
  #calling = false;

  /**
   * Begins the session `key`, or carries on one that any host began: numbering continues, answered
   * calls stay answered. `key` is not empty.
   *
   * @throws {@link WaybreadError}: `invalid-argument`, `invalid-setting`; `settings-differ` when the
   * log was begun with another kind or other overrides; `newer-record`, `damaged-record`;
   * `conflict`, `storage`.
   */
  static async open(key: string, settings: Settings, hosts: Hosts): Promise<Session> {
    return Session.begin(await loadComponent(), key, settings, hosts);
  }

  /** @internal */
  static begin(component: Component, key: string, settings: Settings, hosts: Hosts): Session {
    return new Session(component, key, settings, hosts);
  }

  private constructor(component: Component, key: string, settings: Settings, hosts: Hosts) {
    this.#component = component;
    this.#key = toGlue.string(key, 'key');
    this.#settings = toGlue.settings(settings);
    this.#imports = new Imports(toGlue.hosts(hosts));
    this.#guard(() => undefined);
  }

  /**
   * Gives a tool call's outcome its id, applies §1–§6, stores the full text and returns what goes to
   * the model. Earlier results stay untouched.
   *
   * @throws {@link WaybreadError}: `invalid-argument`; `call-answered`; `filesystem` when a read
   * failed for a reason that is the host's; `conflict`, `storage`.
   */
  insertResult(call: ToolCall, outcome: Outcome): Inserted {
    const [glueCall, glueOutcome] = [toGlue.toolCall(call), toGlue.outcome(outcome)];
    return this.#guard((inner) => inner.insertResult(glueCall, glueOutcome));
  }

  /**
   * The model's `recall` (§4): shows a stored result again, up to 2000 lines from `offset`. The
   * answer is itself a result with an id of its own. `id` is taken with or without `#`, in either
   * case, with or without leading zeros. An id that was never given is no error: the model is told.
   *
   * @throws {@link WaybreadError}: as {@link Session.insertResult}.
   */
  recall(call: ToolCall, id: string, window: LineWindow = {}): Inserted {
    const glueCall = toGlue.toolCall(call);
    const glueId = toGlue.string(id, 'id');
    const { offset, limit } = toGlue.lineWindow(window, '');
    return this.#guard((inner) => inner.recall(glueCall, glueId, offset, limit));
  }

  /**
   * A stored result in full, for programs: nothing is inserted. `id` as in {@link Session.recall}.
   *
   * @throws {@link WaybreadError}: `unknown-id`, `storage`.
   */
  storedText(id: string): string {
    const glueId = toGlue.string(id, 'id');
    return this.#guard((inner) => inner.storedText(glueId));
  }

  /**
   * The newest full read of a file in this session, by the file's identity, for tools that insist on
   * a read before a change (§1). Undefined if there was none or nothing is there.
   *
   * @throws {@link WaybreadError}: `invalid-argument`, `filesystem`.
   */
  lastRead(path: string): LastRead | undefined {
    const gluePath = toGlue.string(path, 'path');
    return this.#guard((inner) => inner.lastRead(gluePath));
  }

  /**
   * The absolute path that a path in a call means (§11), for answers of tools that name it. Lexical:
   * nothing is looked up.
   *
   * @throws {@link WaybreadError}: `invalid-argument` for an empty path.
   */
  resolvePath(path: string): string {
    const gluePath = toGlue.string(path, 'path');
    return this.#guard((inner) => inner.resolvePath(gluePath));
  }

  /**
   * Reads the log again, to carry on after a `conflict`: what the other writer appended is there.
   *
   * @throws {@link WaybreadError}: as {@link Session.open}. The next call then tries again.
   */
  reopen(): void {
    this.#guard(() => {
      this.#inner = undefined;
      this.#inner = this.#begin();
    });
  }

  /** Does one call on the instance, and makes of what it throws an error of this library. */
  #guard<T>(work: (inner: Context.Session) => T): T {
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
