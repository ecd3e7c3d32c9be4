/** One chat: a session, and the loop that takes a person's words to the model's answer. */
import type { Outcome, Session, ToolCall } from 'waybread';

/** Where the model is, and how it is asked. */
export interface Model {
  /** Such as `http://127.0.0.1:8080/v1`. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly parameters: object;
}

/** What a tool answers. `recall` is the session's own. */
export type Run = (call: ToolCall, args: Readonly<Record<string, unknown>>) => Outcome;

const PATHS = {
  'openai-chat': 'chat/completions',
  'anthropic-messages': 'messages',
  'openai-responses': 'responses',
} as const;

export type Dialect = keyof typeof PATHS;

/** What the model says of a recall. */
interface Recall {
  readonly id: string;
  readonly offset?: number;
  readonly limit?: number;
  readonly char_offset?: number;
  readonly char_limit?: number;
}

/** Tools run in so many rounds at most before the model has to answer without them. */
const MOST_ROUNDS = 20;

/** A chat with a model. Turns of one chat wait for each other. */
export class Chat {
  readonly #session: Session;
  readonly #model: Model;
  readonly #path: string;
  readonly #run: Run;
  #last: Promise<unknown> = Promise.resolve();

  constructor(session: Session, dialect: Dialect, model: Model, run: Run) {
    this.#session = session;
    this.#model = model;
    this.#path = PATHS[dialect];
    this.#run = run;
  }

  /** What the model answers in the end. If the model can't be had, the words are taken back. */
  turn(text: string, date?: string): Promise<string> {
    const turn = this.#last.then(() => this.#turn(text, date));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** The chat as a page draws it. */
  messages(): { number: number; speaker: string; text: string }[] {
    return this.#session
      .conversation()
      .filter(({ text }) => text !== '')
      .map(({ number, speaker, text }) => ({ number, speaker, text }));
  }

  async #turn(text: string, date?: string): Promise<string> {
    const user = date === undefined ? { text } : { text, date };
    const added = this.#session.addMessage({ user });
    try {
      for (let round = 0; round < MOST_ROUNDS; round += 1) {
        if (await this.#step()) return this.#session.conversation().at(-1)?.text ?? '';
      }
      this.#session.addMessage({ wrapUp: true });
      await this.#step();
      return this.#session.conversation().at(-1)?.text ?? '';
    } catch (error) {
      this.#session.rewind(added.number);
      throw error;
    }
  }

  /** One request; whether the model called no tool. */
  async #step(): Promise<boolean> {
    const { number, body } = this.#session.buildRequest(this.#model.parameters);
    const json = await this.#post(body);
    const { calls } = this.#session.addMessage({ reply: { json } });
    const { usage } = JSON.parse(json) as { usage?: object };
    if (usage !== undefined) this.#session.recordUsage(number, usage);
    for (const { call, refused } of calls) if (refused === undefined) this.#answer(call);
    return calls.length === 0;
  }

  async #post(body: string): Promise<string> {
    const headers = { 'content-type': 'application/json', ...this.#model.headers };
    const url = `${this.#model.url}/${this.#path}`;
    const response = await fetch(url, { method: 'POST', headers, body });
    const answer = await response.text();
    if (!response.ok) throw new Error(`the model's server answers ${String(response.status)}: ${answer}`);
    return answer;
  }

  #answer(call: ToolCall): void {
    const args = JSON.parse(call.arguments) as Record<string, unknown>;
    if (call.name === 'recall') {
      const { id, offset, limit, char_offset: charOffset, char_limit: charLimit } = args as unknown as Recall;
      this.#session.recall(call, id, { offset, limit, charOffset, charLimit });
      return;
    }
    this.#session.insertResult(call, this.#run(call, args));
  }
}
