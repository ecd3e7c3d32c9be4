/**
 * The command:
 *
 *     node dist/src/main.js --url URL [--model NAME] [--dialect DIALECT] [--database FILE] [--port N]
 *     node dist/src/main.js --url URL --scenario FILE
 *
 * A key is taken from the environment's `API_KEY`.
 */
import { parseArgs } from 'node:util';
import { serve } from '@hono/node-server';
import { load } from 'waybread';
import { SqliteStorage } from 'waybread/sqlite';
import type { Dialect } from './chat.js';
import { play } from './scenario.js';
import { server } from './server.js';

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    model: { type: 'string', default: 'scripted' },
    dialect: { type: 'string', default: 'openai-chat' },
    database: { type: 'string', default: 'chats.sqlite' },
    port: { type: 'string', default: '8000' },
    scenario: { type: 'string' },
  },
});

const { url, scenario, model, dialect, database } = values;
if (url === undefined) {
  console.error("--url is missing: the base URL of a model's server, such as http://127.0.0.1:8080/v1");
  process.exit(2);
}
const storage = new SqliteStorage(database);
const waybread = await load();
if (scenario === undefined) {
  const key = process.env['API_KEY'];
  const headers: Record<string, string> =
    key === undefined ? {} : { authorization: `Bearer ${key}`, 'x-api-key': key };
  const parameters = dialect === 'anthropic-messages' ? { model, max_tokens: 4000 } : { model };
  const app = server({ waybread, storage, dialect: dialect as Dialect, model: { url, headers, parameters } });
  serve({ fetch: app.fetch, port: Number(values.port), hostname: '127.0.0.1' }, ({ port }) => {
    console.log(`http://127.0.0.1:${String(port)}/`);
  });
} else {
  await play(waybread, scenario, url, storage);
  storage.close();
}
