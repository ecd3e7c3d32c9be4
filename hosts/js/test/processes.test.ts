/** Sessions in one SQLite file that several processes write, and that are killed. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { load, MemoryTree, type Session, type Settings } from '../src/index.js';
import { SqliteStorage } from '../src/sqlite.js';
import { measured } from './helpers/conversation.js';
import { temporaryFolder } from './helpers/folder.js';
import { call, ROOT } from './helpers/session.js';

function start(program: string, ...given: string[]): ChildProcess {
  const file = fileURLToPath(new URL(`helpers/${program}`, import.meta.url));
  return spawn(process.execPath, [file, ...given], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** What a writer prints, each line when it is stored: ids, or hashes of requests. */
async function* linesOf(writer: ChildProcess): AsyncGenerator<string> {
  if (writer.stdout === null) throw new Error('the writer has no output');
  yield* createInterface({ input: writer.stdout });
}

async function allLinesOf(writer: ChildProcess): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of linesOf(writer)) lines.push(line);
  return lines;
}

/** The lines of a process that is killed after some. */
async function linesUntilKilled(writer: ChildProcess, count: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of linesOf(writer)) {
    lines.push(line);
    if (lines.length === count) writer.kill('SIGKILL');
  }
  expect(writer.signalCode ?? (await once(writer, 'exit'))[1]).toBe('SIGKILL');
  expect(lines.length).toBeGreaterThanOrEqual(count);
  return lines;
}

async function carryOn(
  database: string,
  key: string,
  settings: Partial<Settings> = {},
): Promise<Session> {
  const hosts = { storage: new SqliteStorage(database), filesystem: new MemoryTree() };
  return (await load()).open(key, { root: ROOT, ...settings }, hosts);
}

describe('processes', () => {
  it('lose nothing that was answered when they are killed', async () => {
    const database = path.join(temporaryFolder(), 'sessions.sqlite');
    const writer = start('writer.mjs', database, 'killed');
    const ids = await linesUntilKilled(writer, 25);
    const session = await carryOn(database, 'killed');
    ids.forEach((id, n) => {
      expect(session.storedText(id)).toBe(`result ${String(n)} of killed\n`.repeat(500));
    });
    // The call that was under way may have been stored; its answer was lost, not its result.
    const next = Number.parseInt(session.insertResult(call(), { output: 'on' }).id.slice(1), 16);
    expect(next - ids.length).toBeOneOf([1, 2]);
  });

  it('that are killed leave a conversation that goes on', async () => {
    const database = path.join(temporaryFolder(), 'sessions.sqlite');
    const hashes = await linesUntilKilled(start('talker.mjs', database, 'killed'), 10);
    const session = await carryOn(database, 'killed', { dialect: 'openai-chat' });
    const reports = session.cacheReport();
    // The request that was under way may have been stored.
    expect(reports.length - hashes.length).toBeOneOf([0, 1]);
    expect(reports.every(({ difference }) => difference === undefined)).toBe(true);
    const { number, closed, ...request } = session.buildRequest({ model: 'm' });
    expect(number).toBe(reports.length + 1);
    // A call without its result got one that says so; nothing that was sent has changed.
    expect(closed.length).toBeOneOf([0, 1]);
    expect(request).toMatchObject({ difference: undefined, ...measured(request) });
    const { messages } = JSON.parse(request.body) as { messages: { role: string }[] };
    expect(messages.length).toBeGreaterThanOrEqual(2 + 2 * hashes.length);
    expect(messages.at(-1)?.role).toBe('tool');
  });

  it('make one new file together, and write to it in turn', async () => {
    const database = path.join(temporaryFolder(), 'sessions.sqlite');
    const keys = ['a', 'b', 'c', 'd'];
    const writers = keys.map((key) => start('writer.mjs', database, key, '20'));
    const all = await Promise.all(writers.map(allLinesOf));
    expect(all.map((ids) => ids.length)).toEqual([20, 20, 20, 20]);
    for (const key of keys) {
      const session = await carryOn(database, key);
      expect(session.storedText('#0014')).toBe(`result 19 of ${key}\n`.repeat(500));
    }
  });
});
