import { describe, expect, it } from 'vitest';
import {
  load,
  MemoryStorage,
  MemoryTree,
  Session,
  WaybreadError,
  type Outcome,
} from '../src/index.js';
import { call, detailOf, open, ROOT, thrownBy } from './helpers/session.js';

describe('a session', () => {
  it('opens with `Session.open` as with `load`', async () => {
    const hosts = { storage: new MemoryStorage(), filesystem: new MemoryTree() };
    const session = await Session.open('one', { root: ROOT }, hosts);
    expect(session.insertResult(call(), { output: 'ok' }).text).toBe('[#0001]\nok');
    const again = (await load()).open('one', { root: ROOT }, hosts);
    expect(again.insertResult(call(), { output: 'ok' }).id).toBe('#0002');
  });

  it('takes every outcome', async () => {
    const session = await open({ filesystem: new MemoryTree({ '/work/app/a.ts': 'x\n' }) });
    const outcomes: Outcome[] = [
      { read: { path: 'a.ts', offset: 1, limit: 5, force: true } },
      { changes: { files: [{ path: 'a.ts', before: 'x\n', after: 'y\n' }], note: 'noted' } },
      { output: 'out' },
      { failure: 'no' },
    ];
    expect(outcomes.map((outcome) => session.insertResult(call(), outcome))).toEqual([
      {
        id: '#0001',
        text: '[#0001 a.ts lines 1-1 of 1 sha 73cb3858]\n1: x',
        treatment: 'full',
        refersTo: undefined,
        charsIn: 45,
        charsOut: 45,
      },
      expect.objectContaining({
        text: '[#0002 a.ts sha 3bb2abb6]\n@@ -1 +1 @@\n-x\n+y\nnoted',
        treatment: 'full',
      }),
      expect.objectContaining({ text: '[#0003]\nout' }),
      expect.objectContaining({ text: '[#0004]\nno', treatment: 'failed' }),
    ]);
  });

  it('takes bytes for a changed file, text or not', async () => {
    const session = await open();
    const files = [
      { path: 'new.txt', after: new TextEncoder().encode('é\n') },
      { path: 'picture', before: Uint8Array.of(0xff), after: Uint8Array.of(0xfe, 0xff, 0xfe) },
      { path: 'gone', before: 'x' },
    ];
    expect(session.insertResult(call('write'), { changes: { files } }).text).toBe(
      [
        '[#0001]',
        '[new.txt sha edd3a863] Created, 1 lines.',
        '[picture sha 3a13a76f] Binary file, 3 bytes.',
        '[gone deleted]',
      ].join('\n'),
    );
  });

  it('recalls, gives stored texts, and knows the last read and a path', async () => {
    const session = await open(
      { filesystem: new MemoryTree({ '/work/app/a.ts': 'x\ny\n' }) },
      { home: '/home/ada' },
    );
    session.insertResult(call('read'), { read: { path: './a.ts' } });
    expect(session.recall(call('recall'), '1', { offset: 2, limit: 1 }).text).toBe(
      '[#0002 recall #0001 lines 2-2 of 2]\n2: y',
    );
    expect(session.recall(call('recall'), '#ffff').treatment).toBe('failed');
    expect(session.storedText('#0001')).toBe('1: x\n2: y');
    expect(session.lastRead('a.ts')).toEqual({
      id: '#0001',
      path: './a.ts',
      firstLine: 1,
      lastLine: 2,
      totalLines: 2,
      sha256: '09834d488008f5f1ef589a2d7cedc52425bee9dd23b2212e4c1d673c5cbb54e4',
    });
    expect(session.lastRead('b.ts')).toBeUndefined();
    expect(session.resolvePath('~/notes/../x')).toBe('/home/ada/x');
  });

  it('stubs what is unchanged, and says what it refers to', async () => {
    const session = await open({ filesystem: new MemoryTree({ '/work/app/a.ts': 'x\n' }) });
    session.insertResult(call('read'), { read: { path: 'a.ts' } });
    const again = session.insertResult(call('read'), { read: { path: '/work/app/a.ts' } });
    expect(again).toMatchObject({ treatment: 'unchanged-read', refersTo: '#0001' });
  });

  it('takes overrides as an object and as JSON, and keeps them', async () => {
    const overrides = { context: { cap: { max_lines: 2, head_lines: 1, tail_lines: 1 } } };
    const storage = new MemoryStorage();
    const session = await open({ storage }, { overrides });
    expect(session.insertResult(call(), { output: 'a\nb\nc' }).treatment).toBe('capped');
    await open({ storage }, { overrides: JSON.stringify(overrides) });
    await open({ storage });
    await expect(open({ storage }, { kind: 'chat' })).rejects.toMatchObject({
      detail: { code: 'settings-differ', name: 'kind', kept: 'agent', given: 'chat' },
    });
  });

  it('carries on after a conflict once it is opened again', async () => {
    const storage = new MemoryStorage();
    const [one, other] = [await open({ storage }), await open({ storage })];
    one.insertResult(call(), { output: 'one' });
    const late = call();
    expect(detailOf(() => other.insertResult(late, { output: 'late' }))).toMatchObject({
      code: 'conflict',
    });
    other.reopen();
    expect(other.insertResult(late, { output: 'late' }).id).toBe('#0002');
    expect(other.storedText('1')).toBe('one');
  });

  it('does not mix up the sessions of one storage', async () => {
    const hosts = { storage: new MemoryStorage(), filesystem: new MemoryTree() };
    const waybread = await load();
    const sessions = ['a', 'b'].map((key) => waybread.open(key, { root: ROOT }, hosts));
    const ids = sessions.map((session) => session.insertResult(call(), { output: 'x' }).id);
    expect(ids).toEqual(['#0001', '#0001']);
  });
});

describe('texts', () => {
  it('come back as they went in, byte order mark, NUL and all planes', async () => {
    const session = await open();
    const text = '\ufefffirst\0\u001b[1m\r\n😀 e\u0301 \u2028 \u{10ffff}';
    session.insertResult(call(), { output: text });
    expect(session.storedText('1')).toBe(text);
    expect(session.recall(call(), '1').text).toBe(
      `[#0002 recall #0001 lines 1-2 of 2]\n${text.replace('\0', '␀')}`,
    );
  });

  it('get U+FFFD for a lone surrogate, wherever it stands', async () => {
    const tree = new MemoryTree();
    const session = await open({ filesystem: tree });
    session.insertResult(call(), { output: 'a\ud800b\udc00\ud83d' });
    expect(session.storedText('1')).toBe('a\ufffdb\ufffd\ufffd');
    const files = [{ path: 'x\udfff', before: '\ud800\n', after: '\udc00\n' }];
    const { text } = session.insertResult(call(), { changes: { files } });
    expect(text).toMatch(/^\[#0002 x\ufffd sha [0-9a-f]{8}\] No change\.$/);
    expect(session.resolvePath('\ud800')).toBe('/work/app/\ufffd');
  });
});

describe('errors', () => {
  it('are typed, and say in a sentence what was wrong', async () => {
    const session = await open();
    const answered = call();
    session.insertResult(answered, { output: 'x' });
    const error = thrownBy(() => session.insertResult(answered, { output: 'y' }));
    if (!(error instanceof WaybreadError)) throw error;
    expect(error.name).toBe('WaybreadError');
    expect(error.code).toBe('call-answered');
    expect(error.detail).toEqual({ code: 'call-answered', call: answered.id, id: '#0001' });
    expect(error.message).toContain(`\`${answered.id}\``);
    expect(error.cause).toBeUndefined();
    expect(detailOf(() => session.storedText('#00ff'))).toEqual({
      code: 'unknown-id',
      id: '#00ff',
    });
    expect(detailOf(() => session.resolvePath(''))).toMatchObject({ code: 'invalid-argument' });
    await expect(open({}, { overrides: { context: { capp: {} } } })).rejects.toMatchObject({
      detail: { code: 'invalid-setting', key: 'context.capp' },
    });
  });

  it('name a record that can not be used', async () => {
    const storage = new MemoryStorage();
    storage.append('session', 0, ['not a record'], []);
    await expect(open({ storage })).rejects.toMatchObject({
      detail: { code: 'damaged-record', position: 0 },
    });
  });
});
