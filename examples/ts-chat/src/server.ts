/** The chat server: people's chats over HTTP, each a session in one SQLite file. */
import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import { MemoryTree, type Settings, type Storage, type Waybread } from 'waybread';
import { Chat, type Dialect, type Model } from './chat.js';
import { preamble, reading } from './scenario.js';

const PAGE = readFileSync(new URL('../../public/index.html', import.meta.url), 'utf8');

/** What every chat has in its tree: small files that the model may read. */
const NOTES = { '/help.md': 'This is a chat server on Waybread. Each chat is a session of its own.\n' };

const READ = {
  name: 'read',
  description: 'Reads a file of the chat, such as /help.md.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};

/** So many chats are held open; the others are opened again from storage when they are asked for. */
const MOST_OPEN = 500;

export interface Options {
  readonly waybread: Waybread;
  readonly storage: Storage;
  readonly dialect: Dialect;
  readonly model: Model;
}

export function server(options: Options): Hono {
  const chats = new Chats(options);
  const app = new Hono();
  app.get('/', (context) => context.html(PAGE));
  app.get('/chats/:id/messages', (context) => context.json(chats.of(context.req.param('id')).messages()));
  app.post('/chats/:id/messages', async (context) => {
    const given: unknown = await context.req.json().catch(() => undefined);
    const text = given instanceof Object ? Reflect.get(given, 'text') : undefined;
    if (typeof text !== 'string' || text.trim() === '') {
      return context.json({ error: 'the body must be {"text": "…"}, with words in it' }, 400);
    }
    const today = new Date().toISOString().slice(0, 10);
    try {
      return context.json({ text: await chats.of(context.req.param('id')).turn(text, today) });
    } catch (error) {
      return context.json({ error: error instanceof Error ? error.message : String(error) }, 502);
    }
  });
  return app;
}

/** Chats by their id, those of late held open. */
class Chats {
  readonly #options: Options;
  readonly #open = new Map<string, Chat>();

  constructor(options: Options) {
    this.#options = options;
  }

  of(id: string): Chat {
    const chat = this.#open.get(id) ?? this.#opened(id);
    // What was asked for last stands last.
    this.#open.delete(id);
    this.#open.set(id, chat);
    const [oldest] = this.#open.keys();
    if (this.#open.size > MOST_OPEN && oldest !== undefined) this.#open.delete(oldest);
    return chat;
  }

  #opened(id: string): Chat {
    const { waybread, storage, dialect, model } = this.#options;
    const settings: Settings = {
      kind: 'chat',
      dialect,
      root: '/',
      prompt: preamble('You answer in few words.'),
      tools: [READ],
    };
    const session = waybread.open(`chat/${id}`, settings, { storage, filesystem: new MemoryTree(NOTES) });
    return new Chat(session, dialect, model, (call, args) =>
      call.name === 'read' ? { read: reading(args) } : { failure: `no tool ${call.name}` },
    );
  }
}
