/** One conversation. */
import * as toGlue from './arguments.js';
import { loadComponent, type Component } from './component.js';
import { Instance } from './instance.js';
import type { Hosts } from './ports.js';
import { AssemblingSession } from './session/assembling.js';
import type {
  Added,
  Change,
  DelegateState,
  Delegation,
  Inserted,
  Json,
  LastRead,
  Message,
  NoteOptions,
  Outcome,
  Prefix,
  RecallWindow,
  Request,
  RequestReport,
  Settings,
  StoredMessage,
  Tool,
  ToolCall,
  Usage,
} from './values.js';

/**
 * One conversation: its messages, its results with their ids, and its requests.
 *
 * Every method but {@link Session.open} and {@link Session.compact} is synchronous. A call that fails
 * throws a {@link WaybreadError} and changes nothing; a {@link TrappedError} means that the component
 * stopped and the session was opened again from its storage. Beside the errors that a method names,
 * each one that writes can throw `conflict` and `storage`, and each one that takes arguments
 * `invalid-argument`. A refusal that is meant for the model (a file that is not there, an id that was
 * never given) is no error: it is a result like any other.
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
export class Session extends AssemblingSession {
  /**
   * Begins the session `key`, or carries on one that any host began: numbering continues, answered
   * calls stay answered, and the system prompt and the tools are those that were sent. `key` is not
   * empty.
   *
   * @throws {@link WaybreadError}: `invalid-argument`, `invalid-setting`; `settings-differ` when the
   * log was begun with another kind, dialect or other overrides; `newer-record`, `damaged-record`;
   * `conflict`, `storage`.
   */
  static async open(key: string, settings: Settings, hosts: Hosts): Promise<Session> {
    return Session.begin(await loadComponent(), key, settings, hosts);
  }

  /** @internal */
  static begin(component: Component, key: string, settings: Settings, hosts: Hosts): Session {
    const opening = {
      component,
      key: toGlue.string(key, 'key'),
      settings: toGlue.settings(settings),
      hosts: toGlue.hosts(hosts),
    };
    return new Session(Instance.open(opening));
  }

  private constructor(instance: Instance) {
    super(instance);
  }

  /**
   * Gives a tool call's outcome its id, applies §1–§6, stores the full text and returns what goes to
   * the model. Earlier results stay untouched.
   *
   * @throws {@link WaybreadError}: `call-answered`; `unknown-call` in a session with a dialect;
   * `filesystem` when a read failed for a reason that is the host's.
   */
  insertResult(call: ToolCall, outcome: Outcome): Inserted {
    const [glueCall, glueOutcome] = [toGlue.toolCall(call), toGlue.outcome(outcome)];
    return this.instance.call((inner) => inner.insertResult(glueCall, glueOutcome));
  }

  /**
   * The model's `recall` (§4): shows a stored result again, up to 2000 lines from `offset`, or
   * characters of one line. The answer is itself a result with an id of its own. `id` is taken with or
   * without `#` and brackets, in either case, with or without leading zeros. An id that was never given is no error: the model is told.
   *
   * @throws {@link WaybreadError}: as {@link Session.insertResult}.
   */
  recall(call: ToolCall, id: string, window: RecallWindow = {}): Inserted {
    const glueCall = toGlue.toolCall(call);
    const glueId = toGlue.string(id, 'id');
    const { offset, limit, charOffset, charLimit } = toGlue.recallWindow(window);
    return this.instance.call((inner) =>
      inner.recall(glueCall, glueId, offset, limit, charOffset, charLimit),
    );
  }

  /**
   * Adds what the person wrote, a machine's message, or the model's reply. Calls of an earlier reply
   * that are still open get a result first that says that none came.
   *
   * @throws {@link WaybreadError}: `invalid-argument`, which names the place in a reply's JSON;
   * `out-of-order` in a session without a dialect, for a reply to nothing, and for a step boundary
   * before any turn.
   *
   * @example
   * ```ts
   * session.addMessage({ user: { text: 'What is in a.ts?', date: '2026-11-30' } });
   * const { calls } = session.addMessage({ reply: { json: await response.text() } });
   * ```
   */
  addMessage(message: Message): Added {
    const glueMessage = toGlue.message(message);
    return this.instance.call((inner) => inner.addMessage(glueMessage));
  }

  /**
   * The next request: what the previous one held stands, what is new follows. `parameters` is what
   * else the body holds (`model`, `temperature`, `max_tokens`, `stream`, …). `model` stands first in
   * the body, the rest last. Calls that are still open get a result that says that none came.
   *
   * @throws {@link WaybreadError}: `invalid-argument`, also for a parameter that the session writes
   * itself; `out-of-order` without a dialect or a message.
   *
   * @example
   * ```ts
   * const { body } = session.buildRequest({ model: 'some-model', max_tokens: 4096 });
   * const response = await fetch(url, { method: 'POST', headers, body });
   * ```
   */
  buildRequest(parameters: Json = ''): Request {
    const glueParameters = toGlue.json(parameters, 'parameters');
    return this.instance.call((inner) => {
      const request = inner.buildRequest(glueParameters);
      return { ...request, body: this.bodies.next(request) };
    });
  }

  /**
   * Takes messages back, `first` to `last` (default: the newest), with their results and reads: an
   * undo, a reply regenerated or deleted. Numbers and ids go on; the results can still be recalled.
   * What a note on them told is owed again.
   *
   * @throws {@link WaybreadError}: `unknown-message`; `invalid-argument` if `last` comes before `first`,
   * what is left would begin with a reply, a stub that is left names a result that would be taken back,
   * or a summary would be (fork the session before it instead).
   */
  rewind(first: number, last?: number): void {
    const glueFirst = toGlue.count(first, 'first');
    const glueLast = last === undefined ? undefined : toGlue.count(last, 'last');
    this.instance.call((inner) => {
      inner.rewind(glueFirst, glueLast);
    });
  }

  /**
   * Copies the session, up to and with message `after` and its results (default: all of it), to the
   * new session `key` in the same storage, whose next request is the bytes that this one's would have
   * been. {@link Session.open} opens it.
   *
   * @throws {@link WaybreadError}: `invalid-argument` for an empty key, this session's own or that of a
   * session that exists; `unknown-message` for a number that was never given.
   */
  fork(key: string, after?: number): void {
    const glueKey = toGlue.string(key, 'key');
    const glueAfter = after === undefined ? undefined : toGlue.count(after, 'after');
    this.instance.call((inner) => {
      inner.fork(glueKey, glueAfter);
    });
  }

  /**
   * Says what something's value is now (§10.3). If that is not what the model was last told, a note
   * goes with the next message that starts a turn.
   *
   * @throws {@link WaybreadError}: `invalid-argument` for a name that is missing, or one or a mode's
   * text with an absolute path of the machine; `out-of-order` without a dialect.
   */
  note(change: Change, options: NoteOptions = {}): void {
    const [glueChange, byModel] = [toGlue.change(change, 'change'), toGlue.byModel(options)];
    this.instance.call((inner) => {
      inner.note(glueChange, byModel);
    });
  }

  /**
   * Gives a part of the work to a subagent, and opens its session, with this session's dialect, kind, root,
   * home, overrides and date, on the same storage and files, and none of its messages
   * (docs/assembly.md, "Subagents"). Both can be used at once, in any order. Given a key that this session
   * delegated before, it is carried on: a follow-up, with the subagent's own tools, and with its own prompt and
   * assembly where the delegation has none. The answer goes back with {@link Session.insertResult}, as
   * `{ delegated: { key, text } }`.
   *
   * What was delegated in an earlier process is carried on by delegating it again, or opened as it is by
   * {@link Session.open}.
   *
   * @throws {@link WaybreadError}: as {@link Session.open}; `invalid-argument` for this session's own key or
   * another session's, and for `onlyTools` of a follow-up that leave out a tool that the subagent has;
   * `out-of-order` without a dialect.
   *
   * @example
   * ```ts
   * const child = session.delegate({ key: 'session-1-a', kind: 'explorer', onlyTools: ['read'] });
   * child.addMessage({ user: { sender: 'machine', text: 'Find what calls `parse`.' } });
   * ```
   */
  delegate(delegation: Delegation): Session {
    return new Session(this.instance.delegate(toGlue.delegation(delegation)));
  }

  /**
   * Says how far a subagent is: `running`, `queued`, `finished`. A compaction lists those whose results are
   * still to come.
   *
   * @throws {@link WaybreadError}: `invalid-argument` for a key that was not delegated, or a blank state;
   * `out-of-order`.
   */
  delegateProgress(key: string, state: string): void {
    const [glueKey, glueState] = [toGlue.string(key, 'key'), toGlue.string(state, 'state')];
    this.instance.call((inner) => {
      inner.delegateProgress(glueKey, glueState);
    });
  }

  /** The subagents of this session, in the order in which they were first delegated. */
  delegates(): readonly DelegateState[] {
    return this.instance.call((inner) => inner.delegates());
  }

  /**
   * Says whether a condition that tools require is met now (§10.4).
   *
   * @throws {@link WaybreadError}: `invalid-argument` for an empty name; `out-of-order`.
   */
  setCondition(name: string, met: boolean): void {
    const [glueName, glueMet] = [toGlue.string(name, 'name'), toGlue.boolean(met, 'met')];
    this.instance.call((inner) => {
      inner.setCondition(glueName, glueMet);
    });
  }

  /**
   * Withdraws a tool: it stays listed, and its calls are answered `refusal` (§10.4).
   *
   * @throws {@link WaybreadError}: `invalid-argument` for a tool that is not listed or an empty
   * refusal; `out-of-order`.
   */
  withdrawTool(name: string, refusal: string): void {
    const [glueName, text] = [toGlue.string(name, 'name'), toGlue.string(refusal, 'refusal')];
    this.instance.call((inner) => {
      inner.withdrawTool(glueName, text);
    });
  }

  /**
   * An MCP server connected: those of its tools whose names are not listed yet are appended, and its
   * instructions, unless none or empty, are told in a note. A server that comes back with the same
   * changes nothing. Before the first request nothing is read again; `tools.mcp_wait_ms` is how long
   * to wait for that.
   *
   * @throws {@link WaybreadError}: `out-of-order` without a dialect.
   */
  connectServer(name: string, tools: readonly Tool[], instructions?: string): void {
    const glueName = toGlue.string(name, 'name');
    const glueTools = toGlue.list(tools, 'tools', toGlue.tool);
    const text =
      instructions === undefined ? undefined : toGlue.string(instructions, 'instructions');
    this.instance.call((inner) => {
      inner.connectServer(glueName, glueTools, text);
    });
  }

  /**
   * Keeps what the provider reported of request `number` (§10.6): its usage object, or the whole
   * response. A later report of one request replaces the earlier.
   *
   * @throws {@link WaybreadError}: `unknown-request`; `invalid-argument` if no spelling of usage is
   * found.
   */
  recordUsage(number: number, usage: Json): Usage {
    const [glueNumber, json] = [toGlue.count(number, 'number'), toGlue.json(usage, 'usage')];
    return this.instance.call((inner) => inner.recordUsage(glueNumber, json));
  }

  /** Every request of the session, oldest first: what stood, what was cached, why not (§10.6). */
  cacheReport(): readonly RequestReport[] {
    return this.instance.call((inner) => inner.cacheReport());
  }

  /** The messages of the conversation, oldest first, without those taken back. */
  conversation(): readonly StoredMessage[] {
    return this.instance.call((inner) => inner.conversation());
  }

  /**
   * The system prompt and the tools as they are sent, but for breakpoints of the cache. Empty without
   * a dialect.
   */
  prefix(): Prefix {
    return this.instance.call((inner) => inner.prefix());
  }

  /**
   * A setting of the session by its dotted name, as JSON: `tools.mcp_wait_ms` gives `5000`.
   *
   * @throws {@link WaybreadError}: `invalid-setting` for a name that loop.json does not have.
   */
  setting(key: string): string {
    const glueKey = toGlue.string(key, 'key');
    return this.instance.call((inner) => inner.setting(glueKey));
  }

  /**
   * How a prompt or a note names a file (§11): relative to the root in the project, `~/…` under home,
   * absolute elsewhere. A chat's tree has short paths; they are absolute.
   *
   * @throws {@link WaybreadError}: `invalid-argument` for an empty path.
   */
  namePath(path: string): string {
    const gluePath = toGlue.string(path, 'path');
    return this.instance.call((inner) => inner.namePath(gluePath));
  }

  /**
   * Refuses a text of the harness's own that names an absolute path of the machine, the root or home
   * or one below, in an agent session (§11): for task messages. `name` is what the error calls it.
   *
   * @throws {@link WaybreadError}: `invalid-argument`, which says the character (from 0) and what would
   * be right.
   */
  checkPaths(name: string, text: string): void {
    const [glueName, glueText] = [toGlue.string(name, 'name'), toGlue.string(text, 'text')];
    this.instance.call((inner) => {
      inner.checkPaths(glueName, glueText);
    });
  }

  /**
   * A stored result in full, for programs: nothing is inserted. `id` as in {@link Session.recall}.
   *
   * @throws {@link WaybreadError}: `unknown-id`, `storage`.
   */
  storedText(id: string): string {
    const glueId = toGlue.string(id, 'id');
    return this.instance.call((inner) => inner.storedText(glueId));
  }

  /**
   * The newest full read of a file in this session, by the file's identity, for tools that insist on
   * a read before a change (§1). Undefined if there was none or nothing is there. A compaction does not
   * forget it.
   *
   * @throws {@link WaybreadError}: `filesystem`.
   */
  lastRead(path: string): LastRead | undefined {
    const gluePath = toGlue.string(path, 'path');
    return this.instance.call((inner) => inner.lastRead(gluePath));
  }

  /**
   * The absolute path that a path in a call means (§11), for answers of tools that name it. Lexical:
   * nothing is looked up.
   *
   * @throws {@link WaybreadError}: `invalid-argument` for an empty path.
   */
  resolvePath(path: string): string {
    const gluePath = toGlue.string(path, 'path');
    return this.instance.call((inner) => inner.resolvePath(gluePath));
  }

  /**
   * Reads the log again, to carry on after a `conflict`: what the other writer appended is there.
   *
   * @throws {@link WaybreadError}: as {@link Session.open}. The next call then tries again.
   */
  reopen(): void {
    this.instance.reopen();
  }
}
