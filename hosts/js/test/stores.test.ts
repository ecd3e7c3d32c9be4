/** Stores that earlier versions wrote: each session opens, and goes on with the bytes that it had. */
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { load, MemoryTree, type Dialect, type Kind } from '../src/index.js';
import { SqliteStorage } from '../src/sqlite.js';
import { temporaryFolder } from './helpers/folder.js';
import { ROOT } from './helpers/session.js';

const STORES = path.resolve(import.meta.dirname, '../../../conformance/stores');

interface Told {
  dialect: Dialect | null;
  kind: Kind;
  parameters: string;
  requests: number;
  body: string;
  next: string;
  messages: [number, string, string][];
  shown: string[];
}

const stores = readdirSync(STORES).filter((name) => name.endsWith('.json'));

describe.each(stores)('the store %s', (name) => {
  const told = JSON.parse(readFileSync(path.join(STORES, name), 'utf8')) as Record<string, Told>;
  it.each(Object.entries(told))('%s goes on as it was', async (key, was) => {
    const copy = path.join(temporaryFolder(), 'sessions.sqlite');
    copyFileSync(path.join(STORES, name.replace('.json', '.sqlite')), copy);
    const lines = Array.from({ length: 300 }, (_, at) => `line ${String(at + 1)}\n`);
    const filesystem = new MemoryTree({ '/work/app/a.ts': lines.join('') });
    const storage = new SqliteStorage(copy);
    const settings = { root: ROOT, kind: was.kind, ...(was.dialect && { dialect: was.dialect }) };
    const session = (await load()).open(key, settings, { storage, filesystem });
    if (was.dialect === null) {
      const call = { id: 'again', name: 'read', arguments: '{}' };
      const again = session.insertResult(call, { read: { path: 'a.ts', limit: 5 } });
      expect(again.text.replace('#0003', '#0002')).toBe(was.shown[1]);
      return;
    }
    const said = session.conversation().map(({ number, speaker, text }) => [number, speaker, text]);
    expect(said).toEqual(was.messages);
    const request = session.buildRequest(was.parameters);
    expect(request.body).toBe(was.body);
    expect(request.difference).toBeUndefined();
    expect(request.number).toBe(was.requests + 1);
    session.addMessage({ user: { text: 'Go on.' } });
    expect(session.buildRequest(was.parameters).body).toBe(was.next);
  });
});
