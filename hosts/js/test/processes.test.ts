/** Sessions in one SQLite file that several processes write, and that are killed. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { load, MemoryTree, type Session } from '../src/index.js';
import { SqliteStorage } from '../src/sqlite.js';
import { temporaryFolder } from './helpers/folder.js';
import { call, ROOT } from './helpers/session.js';

const WRITER = fileURLToPath(new URL('helpers/writer.mjs', import.meta.url));

function startWriter(...given: string[]): ChildProcess {
  return spawn(process.execPath, [WRITER, ...given], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** The ids that a writer prints, each when it is stored. */
async function* idsOf(writer: ChildProcess): AsyncGenerator<string> {
  if (writer.stdout === null) throw new Error('the writer has no output');
  yield* createInterface({ input: writer.stdout });
}

async function allIdsOf(writer: ChildProcess): Promise<string[]> {
  const ids: string[] = [];
  for await (const id of idsOf(writer)) ids.push(id);
  return ids;
}

async function carryOn(database: string, key: string): Promise<Session> {
  const hosts = { storage: new SqliteStorage(database), filesystem: new MemoryTree() };
  return (await load()).open(key, { root: ROOT }, hosts);
}

describe('processes', () => {
  it('lose nothing that was answered when they are killed', async () => {
    const database = path.join(temporaryFolder(), 'sessions.sqlite');
    const writer = startWriter(database, 'killed');
    const ids: string[] = [];
    for await (const id of idsOf(writer)) {
      ids.push(id);
      if (ids.length === 25) writer.kill('SIGKILL');
    }
    expect(writer.signalCode ?? (await once(writer, 'exit'))[1]).toBe('SIGKILL');
    expect(ids.length).toBeGreaterThanOrEqual(25);

    const session = await carryOn(database, 'killed');
    ids.forEach((id, n) => {
      expect(session.storedText(id)).toBe(`result ${String(n)} of killed\n`.repeat(500));
    });
    // The call that was under way may have been stored; its answer was lost, not its result.
    const next = Number.parseInt(session.insertResult(call(), { output: 'on' }).id.slice(1), 16);
    expect(next - ids.length).toBeOneOf([1, 2]);
  });

  it('make one new file together, and write to it in turn', async () => {
    const database = path.join(temporaryFolder(), 'sessions.sqlite');
    const keys = ['a', 'b', 'c', 'd'];
    const writers = keys.map((key) => startWriter(database, key, '20'));
    const all = await Promise.all(writers.map(allIdsOf));
    expect(all.map((ids) => ids.length)).toEqual([20, 20, 20, 20]);
    for (const key of keys) {
      const session = await carryOn(database, key);
      expect(session.storedText('#0014')).toBe(`result 19 of ${key}\n`.repeat(500));
    }
  });
});
