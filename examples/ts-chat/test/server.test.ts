/** The server, with a model that answers as it is told. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { load, MemoryStorage, type Storage } from 'waybread';
import { server } from '../src/server.js';

const servers: Server[] = [];
after(() => servers.forEach((each) => each.close()));

/** A model's server that gives each reply once, and keeps the bodies. */
async function scripted(replies: readonly object[]): Promise<{ url: string; bodies: string[] }> {
  const bodies: string[] = [];
  const left = [...replies];
  const made = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      bodies.push(body);
      const message = left.shift();
      response.statusCode = message === undefined ? 500 : 200;
      response.end(JSON.stringify(message === undefined ? { error: 'over' } : { choices: [{ message }] }));
    });
  }).listen(0, '127.0.0.1');
  servers.push(made);
  await new Promise((listening) => made.once('listening', listening));
  return { url: `http://127.0.0.1:${String((made.address() as AddressInfo).port)}`, bodies };
}

const said = (content: string) => ({ role: 'assistant', content });
const reads = (path: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [
    { id: 'c', type: 'function', function: { name: 'read', arguments: JSON.stringify({ path }) } },
  ],
});

async function chatting(url: string, storage: Storage = new MemoryStorage()) {
  const app = server({ waybread: await load(), storage, dialect: 'openai-chat', model: { url, parameters: { model: 'm' } } });
  return {
    async say(id: string, text: string): Promise<{ status: number; text?: string; error?: string }> {
      const body = JSON.stringify({ text });
      const answer = await app.request(`/chats/${id}/messages`, { method: 'POST', body });
      return { status: answer.status, ...((await answer.json()) as object) };
    },
    async messages(id: string): Promise<string[]> {
      const answer = await app.request(`/chats/${id}/messages`);
      return ((await answer.json()) as { text: string }[]).map(({ text }) => text);
    },
  };
}

test('a turn reads, answers and is there after a restart', async () => {
  const { url, bodies } = await scripted([reads('/help.md'), said('It says so.'), said('Yes.')]);
  const storage = new MemoryStorage();
  const first = await chatting(url, storage);
  assert.deepEqual(await first.say('a', 'What is this?'), { status: 200, text: 'It says so.' });
  assert.match(bodies[1] ?? '', /#0001 \/help\.md lines 1-1 of 1/);
  const second = await chatting(url, storage);
  assert.deepEqual(await second.messages('a'), ['What is this?', 'It says so.']);
  assert.equal((await second.say('a', 'Sure?')).text, 'Yes.');
});

test('chats are apart, and turns of one wait for each other', async () => {
  const { url, bodies } = await scripted([said('1'), said('2'), said('3')]);
  const chats = await chatting(url);
  await Promise.all([chats.say('a', 'One'), chats.say('a', 'Two')]);
  await chats.say('b', 'Three');
  assert.deepEqual(await chats.messages('a'), ['One', '1', 'Two', '2']);
  assert.deepEqual(await chats.messages('b'), ['Three', '3']);
  assert.ok(!bodies[2]?.includes('One'));
});

test('words that the model never answered are taken back', async () => {
  const { url } = await scripted([]);
  const chats = await chatting(url);
  const failed = await chats.say('a', 'Hello?');
  assert.equal(failed.status, 502);
  assert.match(failed.error ?? '', /answers 500/);
  assert.deepEqual(await chats.messages('a'), []);
});

test('a body without words is refused', async () => {
  const chats = await chatting('http://127.0.0.1:1');
  assert.equal((await chats.say('a', ' ')).status, 400);
});
