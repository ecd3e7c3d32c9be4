import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MemoryStorage, MemoryTree, Session, type Storage } from '../src/index.js';
import { replay, type Recording } from '../src/replay.js';
import { SqliteStorage } from '../src/sqlite.js';

const FIXTURES = new URL('../../../recordings/tests/fixtures/', import.meta.url);

function fixture(name: string): Recording {
  return { name, content: readFileSync(new URL(name, FIXTURES), 'utf8') };
}

describe('a replay', () => {
  it('reports what the rules did with a recorded session', async () => {
    const { report, json } = await replay([fixture('cc-06-search-stub.jsonl')]);
    expect(report).toMatchObject({ files: 1, failed_files: [] });
    const [session] = report.sessions;
    expect(session).toMatchObject({
      file: 'cc-06-search-stub.jsonl',
      format: 'claude-code',
      name: 'cc-06-search-stub',
    });
    expect(session?.counts.same_search).toBe(1);
    expect(report.total.chars_out).toBeLessThan(report.total.chars_in);
    expect(JSON.parse(json)).toEqual(report);
  });

  it('hands over what the model would have been shown', async () => {
    const shown = new Map<string, string>();
    const { report } = await replay([fixture('cc-12-tiny.jsonl')], {
      onSession: (name, lines) => shown.set(name, lines),
    });
    expect([...shown.keys()]).toEqual(['cc-12-tiny']);
    const lines = (shown.get('cc-12-tiny') ?? '').trimEnd().split('\n');
    expect(lines).toHaveLength(report.total.results);
    expect(lines[0]).toMatch(
      /^\{"context":"main","id":"#0001","call":"[^"]+","treatment":"full","text":"\[#0001/,
    );
  });

  it('takes shell reads as reads where it is asked to', async () => {
    const given = [fixture('codex-04-shell-reads.jsonl')];
    const { report: off } = await replay(given);
    const { report: on } = await replay(given, { shellReads: true });
    expect(off.total.reads).toBe(0);
    expect(on.total.reads).toBeGreaterThan(0);
  });

  it('builds every request, and counts it under every policy', async () => {
    const { report, summary } = await replay([fixture('cc-12-tiny.jsonl')]);
    expect(report.sessions[0]?.policies).toEqual(report.policies);
    expect(report.policies.map(({ policy }) => policy)).toEqual([
      'full-history',
      'waybread',
      'prune-old-outputs',
      'sliding-window',
      'clear-tool-uses',
    ]);
    for (const { requests, sent, kept, reread, again, breaks } of report.policies) {
      expect(requests).toBe(5);
      expect(sent).toBe(kept + reread);
      // Nothing that was sent is rewritten.
      expect([again, breaks]).toEqual([0, 0]);
    }
    expect(summary).toContain('\n waybread ');
  });

  it('reports a recording that it can not replay, and goes on', async () => {
    const { report } = await replay([
      { name: 'broken.jsonl', content: '{"type":"user"\nnot json' },
      { name: 'unknown.json', content: '{"some":"thing"}' },
      { name: 'empty.jsonl', content: '' },
      { name: 'missing.jsonl', error: { message: 'cannot be read: gone' } },
      fixture('mini-04-tiny.traj.json'),
    ]);
    expect(report.files).toBe(5);
    expect(report.sessions.map(({ name }) => name)).toEqual(['mini-04-tiny']);
    expect(report.failed_files.map(({ file }) => file)).toEqual([
      'broken.jsonl',
      'unknown.json',
      'empty.jsonl',
      'missing.jsonl',
    ]);
    for (const { error } of report.failed_files) expect(error.message).not.toBe('');
  });

  it('tells files of one name apart', async () => {
    const given = fixture('mini-04-tiny.traj.json');
    const { report } = await replay([given, given, given]);
    expect(report.sessions.map(({ file }) => file)).toEqual([
      'mini-04-tiny.traj.json',
      '2~mini-04-tiny.traj.json',
      '3~mini-04-tiny.traj.json',
    ]);
  });

  it('keeps the sessions where it is asked to, to be carried on', async () => {
    const storage = new MemoryStorage();
    const keys: string[] = [];
    const append: Storage['append'] = (key, length, records, texts) => {
      keys.push(key);
      storage.append(key, length, records, texts);
    };
    const readLog = storage.readLog.bind(storage);
    const readText = storage.readText.bind(storage);
    const given = fixture('cc-12-tiny.jsonl');
    const kept = { append, readLog, readText };
    const { json } = await replay([given, given], { storage: kept });
    expect(json).toBe((await replay([given, given])).json);
    expect(keys).toEqual(['cc-12-tiny', '2~cc-12-tiny']);
    const settings = { root: '/', dialect: 'openai-chat' } as const;
    const hosts = { storage, filesystem: new MemoryTree() };
    const session = await Session.open('cc-12-tiny', settings, hosts);
    expect(session.cacheReport()).toHaveLength(5);
    expect(session.storedText('#0001')).not.toBe('');
    const { bytes, parts } = session.contextReport();
    expect(parts.reduce((sum, part) => sum + part.bytes, 0)).toBe(bytes);
    expect(session.buildRequest().length).toBe(bytes);
  });

  it('keeps what came of other contexts beside the conversation', async () => {
    const storage = new SqliteStorage(':memory:');
    const { report } = await replay([fixture('cc-14-sidechain.jsonl')], { storage });
    const [name = ''] = report.sessions.map((session) => session.name);
    const keys = storage.sessions();
    expect(keys).toContain(name);
    expect(keys.length).toBeGreaterThan(1);
    for (const key of keys) expect(key === name || key.startsWith(`${name}/`)).toBe(true);
    // They are there already.
    await expect(replay([fixture('cc-14-sidechain.jsonl')], { storage })).rejects.toThrow(
      'another writer',
    );
    storage.close();
  });

  it('gives no name twice, whatever the files are called', async () => {
    const { content } = fixture('mini-04-tiny.traj.json') as { content: string };
    const names = ['2~a.json', 'a.json', 'a.json', '2~a.json', 'a.json'];
    const { report } = await replay(names.map((name) => ({ name, content })));
    const given = ['2~a.json', 'a.json', '3~a.json', '2~2~a.json', '4~a.json'];
    expect(report.sessions.map(({ file }) => file)).toEqual(given);
  });

  it('gives the same bytes twice, also from an asynchronous source', async () => {
    const given = [fixture('swe-01-rereads.traj'), fixture('roo-03-mini.json')];
    async function* later() {
      for (const recording of given) yield await Promise.resolve(recording);
    }
    expect((await replay(later())).json).toBe((await replay(given)).json);
  });
});
