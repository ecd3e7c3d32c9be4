/** Random conversations: bodies are what they say, older ones stay, and any point can be resumed. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  load,
  MemoryStorage,
  MemoryTree,
  WaybreadError,
  type Dialect,
  type Request,
  type Session,
  type Settings,
  type Storage,
} from '../src/index.js';
import { DIALECTS, measured, replyOf, summaryOf } from './helpers/conversation.js';
import { ROOT } from './helpers/session.js';

const waybread = await load();

/** Memory that can be had a second time. */
class CopiedStorage extends MemoryStorage {
  readonly #appends: Parameters<Storage['append']>[] = [];

  override append(...given: Parameters<Storage['append']>): void {
    super.append(...given);
    this.#appends.push(given);
  }

  copy(): MemoryStorage {
    const copy = new MemoryStorage();
    for (const given of this.#appends) copy.append(...given);
    return copy;
  }
}

/** A session under way. */
class Running {
  readonly #storage = new CopiedStorage();
  readonly #settings: Settings & { readonly dialect: Dialect };
  readonly #session: Session;
  readonly requests: Request[] = [];
  /** Compactions that came about. */
  compacted = 0;
  #calls = 0;

  constructor(dialect: Dialect, kind: 'agent' | 'chat', overrides: object) {
    this.#settings = { root: ROOT, dialect, kind, overrides };
    this.#session = this.#open(this.#storage);
  }

  #open(storage: Storage): Session {
    const hosts = { storage, filesystem: new MemoryTree() };
    return waybread.open('session', this.#settings, hosts);
  }

  say(text: string): void {
    this.#session.addMessage({ user: { text, date: text.length > 3 ? 'today' : undefined } });
  }

  reply(text: string, count: number, incomplete: boolean): void {
    const ids = Array.from({ length: count }, () => `call-${String((this.#calls += 1))}`);
    const json = replyOf(this.#settings.dialect, text, ids);
    const { calls } = this.#session.addMessage({ reply: { json, incomplete } });
    // The first stays open, the others are answered last to first.
    for (const { call } of calls.slice(1).reverse()) {
      this.#session.insertResult(call, { output: text.repeat(30) });
    }
  }

  wrapUp(): void {
    this.#session.addMessage({ wrapUp: true });
  }

  plan(text: string): void {
    this.#session.note({ kind: 'plan', text });
  }

  rewind(back: number): void {
    const message = this.#session.conversation().at(-1 - back);
    if (message !== undefined) this.#session.rewind(message.number);
  }

  /** Asks for a summary beside the last request, which stays the last. An empty one leaves all. */
  compact(summary: string): void {
    const { request } = this.#session.compactBegin({ parameters: { model: 'a' } });
    if (request === undefined) return;
    const last = Buffer.from(this.requests.at(-1)?.body ?? '');
    expect(request.body).toBe(last.subarray(0, request.keep).toString() + request.tail);
    expect(request).toMatchObject(measured(request));
    const reply = summaryOf(this.#settings.dialect, summary);
    const { applied } = this.#session.compactFinish({ reply });
    if (applied !== undefined) this.compacted += 1;
    expect(applied?.summary).toBe(summary === '' ? undefined : summary);
  }

  /** The next request, which a session that is opened here would build too. */
  build(model: string): void {
    const parameters = { model, stream: true };
    const resumed = this.#open(this.#storage.copy());
    this.requests.push(this.#session.buildRequest(parameters));
    const { sha256, difference, body } = resumed.buildRequest(parameters);
    expect(this.requests.at(-1)).toMatchObject({ sha256, difference, body });
  }
}

const text = fc
  .string({ unit: fc.constantFrom('a', ' ', '"', '\n', '\0', 'é', '€', '😀') })
  .map((words) => `x${words}`);
const step: fc.Arbitrary<(running: Running) => void> = fc.oneof(
  text.map((words) => (running: Running) => {
    running.say(words);
  }),
  fc.tuple(text, fc.nat(3), fc.nat(9)).map((given) => (running: Running) => {
    running.reply(given[0], given[1], given[2] === 0);
  }),
  text.map((words) => (running: Running) => {
    running.plan(words);
  }),
  fc.nat(2).map((back) => (running: Running) => {
    running.rewind(back);
  }),
  fc.constant((running: Running) => {
    running.wrapUp();
  }),
  {
    weight: 3,
    arbitrary: fc.constantFrom('', 'It was.').map((summary) => (running: Running) => {
      running.compact(summary);
    }),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom('a', 'a', 'a', 'b').map((model) => (running: Running) => {
      running.build(model);
    }),
  },
);

/** Does a step. What the state doesn't allow is refused. */
function attempt(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof WaybreadError)) throw error;
  }
}

it.each(DIALECTS)('any conversation in %s', (dialect) => {
  const kind = fc.constantFrom('agent', 'chat');
  const compaction = { least_freed_percent: 0 };
  const overrides = fc.constantFrom(
    { compaction },
    { compaction, requests: { cache_breakpoints: 3 } },
  );
  let [built, compacted] = [0, 0];
  fc.assert(
    fc.property(
      kind,
      overrides,
      fc.array(step, { maxLength: 30, size: 'max' }),
      (...[one, other, steps]) => {
        const running = new Running(dialect, one, other);
        running.say('Begin.');
        for (const work of steps) {
          attempt(() => {
            work(running);
          });
        }
        running.say('End.');
        running.build('a');
        let before = Buffer.alloc(0);
        for (const request of running.requests) {
          const expected = Buffer.concat([
            before.subarray(0, request.keep),
            Buffer.from(request.tail),
          ]);
          expect(request.body).toBe(expected.toString());
          expect(request).toMatchObject(measured(request));
          expect(request.shared).toBeGreaterThanOrEqual(request.keep);
          JSON.parse(request.body);
          before = expected;
        }
        built += running.requests.length;
        compacted += running.compacted;
      },
    ),
    { seed: 3, numRuns: 50 },
  );
  expect(built).toBeGreaterThan(150);
  expect(compacted).toBeGreaterThan(15);
});
