import { describe, expect, it } from 'vitest';
import {
  FileError,
  MemoryStorage,
  MemoryTree,
  ReentryError,
  StorageError,
  WaybreadError,
  type FileProblem,
  type FileSystem,
  type Session,
  type Storage,
  type StorageProblem,
} from '../src/index.js';
import { call, open, thrownBy } from './helpers/session.js';

/** A storage that does what memory does until a method is replaced, and then again. */
class Scripted extends MemoryStorage {
  replace(method: keyof Storage, replacement: (...given: unknown[]) => unknown): void {
    Object.assign(this, { [method]: replacement });
  }

  restore(method: keyof Storage): void {
    Reflect.deleteProperty(this, method);
  }
}

/** A session that is open, and its storage, which fails from now on. */
async function failing(method: keyof Storage, replacement: () => unknown) {
  const storage = new Scripted();
  const session = await open({ storage });
  storage.replace(method, replacement);
  return { storage, session };
}

function failureOf(work: () => unknown): WaybreadError {
  const error = thrownBy(work);
  if (error instanceof WaybreadError) return error;
  throw error;
}

function throwing(thrown: unknown): () => never {
  return () => {
    throw thrown;
  };
}

/** The session was not harmed: the call can be made again. */
function expectUnharmed(session: Session, storage: Scripted): void {
  storage.restore('append');
  expect(session.insertResult(call(), { output: 'ok' })).toMatchObject({ id: '#0001' });
}

describe('a storage that fails', () => {
  it.each<StorageProblem>([
    { code: 'denied' },
    { code: 'full' },
    { code: 'not-found' },
    { code: 'other', message: 'a disk on fire' },
  ])('answers $code with its error', async (problem) => {
    const thrown = new StorageError(problem);
    const { storage, session } = await failing('append', throwing(thrown));
    const error = failureOf(() => session.insertResult(call(), { output: 'x' }));
    expect(error.detail).toEqual({ code: 'storage', operation: 'append', error: problem });
    expect(error.cause).toBe(thrown);
    expectUnharmed(session, storage);
  });

  it('answers a conflict with the length', async () => {
    const conflict = new StorageError({ code: 'conflict', length: 7 });
    const { storage, session } = await failing('append', throwing(conflict));
    const error = failureOf(() => session.insertResult(call(), { output: 'x' }));
    expect(error.detail).toEqual({ code: 'conflict', length: 7 });
    expectUnharmed(session, storage);
  });

  const noWords: unknown = Object.create(null);
  it.each([
    ['an Error', new RangeError('too far'), 'too far'],
    ['an Error without words', new TypeError(), 'TypeError'],
    ['a string', 'no', 'no'],
    ['undefined', undefined, 'undefined'],
    ['an Error with a message that is none', Object.assign(new Error(), { message: 7 }), '7'],
    ['what can not be a string', noWords, 'something that has no words was thrown'],
  ])('may throw %s', async (_, thrown, message) => {
    const { storage, session } = await failing('append', throwing(thrown));
    const error = failureOf(() => session.insertResult(call(), { output: 'x' }));
    expect(error.detail).toMatchObject({ error: { code: 'uncertain', message } });
    expectUnharmed(session, storage);
  });

  it.each<[keyof Storage, () => unknown, string]>([
    ['append', () => Promise.reject(new Error('later')), 'append answered a promise'],
    ['readText', () => Promise.resolve('x'), 'readText answered a promise'],
    ['readText', () => 7, 'readText must answer a string'],
  ])('may be one that is not synchronous or not typed: %s', async (method, replaced, problem) => {
    const { storage, session } = await failing(method, replaced);
    const error = failureOf(() => {
      session.insertResult(call(), { output: 'x' });
      session.storedText('1');
    });
    expect(error.message).toContain(problem);
    storage.restore(method);
    expect(session.insertResult(call(), { output: 'x' }).text).toContain('x');
  });

  it.each<[string, () => unknown, string]>([
    ['a promise', () => Promise.resolve([]), 'readLog answered a promise'],
    ['nothing', () => undefined, 'readLog must answer an array'],
    ['numbers', () => [1], 'readLog must answer a string'],
    ['holes', () => new Array<string>(1), 'readLog must answer a string'],
  ])('may answer the log with %s', async (_, readLog, problem) => {
    const storage = new Scripted();
    storage.replace('readLog', readLog);
    await expect(open({ storage })).rejects.toThrow(problem);
  });

  it('may not call the session that calls it', async () => {
    const storage = new Scripted();
    const session = await open({ storage });
    const inner: unknown[] = [];
    storage.replace('append', () => {
      const works = [() => session.storedText('1'), session.reopen.bind(session)];
      inner.push(...works.map(thrownBy));
      throw inner[0];
    });
    const error = failureOf(() => session.insertResult(call(), { output: 'x' }));
    expect(error.detail).toMatchObject({ code: 'storage', error: { code: 'uncertain' } });
    expect(error.cause).toBe(inner[0]);
    for (const each of inner) {
      expect(each).toBeInstanceOf(ReentryError);
      expect(each).toBeInstanceOf(WaybreadError);
      expect(each).toMatchObject({ name: 'ReentryError', code: 'reentry' });
    }
    expectUnharmed(session, storage);
  });

  it.each<[object, string]>([
    [{ code: 'conflict', length: -1 }, 'length -1, not a whole number from 0 to 4294967295'],
    [{ code: 'conflict', length: NaN }, 'length NaN'],
    [{ code: 'conflict', length: 'x' }, 'length "x"'],
    [{ code: 'conflict', length: 2 ** 40 }, 'length 1099511627776'],
    [{ code: 'conflict', length: 1.5 }, 'length 1.5'],
    [{ code: 'conflict' }, 'length undefined'],
    [{ code: 'other' }, 'message undefined, not a string'],
    [{ code: 'other', message: 7 }, 'message 7'],
    [{ code: 'busy' }, 'code "busy", not one of conflict, not-found, denied, full, other'],
    [{ code: 'toString' }, 'code "toString"'],
    [{}, 'code undefined'],
  ])('may throw what no storage error is: %j', async (problem, message) => {
    const thrown = new StorageError(problem as StorageProblem);
    const { storage, session } = await failing('append', throwing(thrown));
    const error = failureOf(() => session.insertResult(call(), { output: 'x' }));
    expect(error.detail).toMatchObject({
      code: 'storage',
      operation: 'append',
      error: { code: 'other', message: expect.stringContaining(message) as string },
    });
    expect(error.cause).toBe(thrown);
    expectUnharmed(session, storage);
  });

  it('may throw an error without a problem', async () => {
    const thrown = Object.assign(new StorageError({ code: 'full' }), { problem: undefined });
    const { storage, session } = await failing('append', throwing(thrown));
    const error = failureOf(() => session.insertResult(call(), { output: 'x' }));
    expect(error.detail).toMatchObject({ code: 'storage', error: { code: 'other' } });
    expectUnharmed(session, storage);
  });

  it.each<[string, () => unknown]>([
    ['an exception', throwing(new Error('the line went dead'))],
    ['a promise', () => Promise.resolve()],
    ['that it is', throwing(new StorageError({ code: 'uncertain', message: 'the commit failed' }))],
  ])('may have written and answer %s: the session is opened again', async (_, after) => {
    const storage = new Scripted();
    const session = await open({ storage });
    session.insertResult(call(), { output: 'first' });
    const write = storage.append.bind(storage);
    storage.replace('append', (...given: unknown[]) => {
      write(...(given as Parameters<Storage['append']>));
      return after();
    });
    const written = call();
    const error = failureOf(() => session.insertResult(written, { output: 'second' }));
    expect(error.detail).toMatchObject({ operation: 'append', error: { code: 'uncertain' } });
    expect(error.message).toMatch(/; it may have been written$/);
    storage.restore('append');
    expect(session.storedText('2')).toBe('second');
    const again = failureOf(() => session.insertResult(written, { output: 'second' }));
    expect(again.detail).toEqual({ code: 'call-answered', call: written.id, id: '#0002' });
    expect(session.insertResult(call(), { output: 'third' }).id).toBe('#0003');
  });

  it('is not read again after an error of the contract', async () => {
    const storage = new Scripted();
    const session = await open({ storage });
    storage.replace('append', throwing(new StorageError({ code: 'full' })));
    storage.replace('readLog', throwing(new Error('read again')));
    failureOf(() => session.insertResult(call(), { output: 'x' }));
    expectUnharmed(session, storage);
  });
});

describe('a filesystem that fails', () => {
  function filesystem(read: () => unknown): FileSystem {
    return { identify: (path) => path, read: read as FileSystem['read'] };
  }

  it.each<[FileProblem, string]>([
    ['not-found', '[#0001] No such file: /work/app/a'],
    ['denied', '[#0001] Not allowed to read /work/app/a'],
    ['is-directory', '[#0001] /work/app/a is a directory, not a file.'],
    ['not-a-file', '[#0001] /work/app/a is neither a file nor a directory.'],
    ['unreadable', '[#0001] /work/app/a cannot be read: it is 9 TB large.'],
  ])('tells the model of %s', async (code, text) => {
    const session = await open({
      filesystem: filesystem(throwing(new FileError(code, { reason: 'it is 9 TB large' }))),
    });
    const inserted = session.insertResult(call('read'), { read: { path: 'a' } });
    expect(inserted).toMatchObject({ text, treatment: 'failed' });
  });

  it.each<[string, () => unknown, string]>([
    ['throws', throwing(new Error('a broken disk')), 'a broken disk'],
    ['answers nothing', () => undefined, 'read must answer { identity, bytes }'],
    ['answers text', () => ({ identity: '/a', bytes: 'x' }), 'bytes as a Uint8Array'],
    ['answers no identity', () => ({ bytes: new Uint8Array() }), 'identity of read must answer'],
    ['answers a promise', () => Promise.resolve({}), 'read answered a promise'],
  ])('that %s fails the call, and nothing is inserted', async (_, read, problem) => {
    const session = await open({ filesystem: filesystem(read) });
    const error = failureOf(() => session.insertResult(call('read'), { read: { path: 'a' } }));
    expect(error.detail).toMatchObject({ code: 'filesystem', path: '/work/app/a' });
    expect(error.message).toContain(problem);
    expect(session.insertResult(call(), { output: 'x' }).id).toBe('#0001');
  });

  it('may throw a code that no file error has', async () => {
    const thrown = new FileError('busy' as FileProblem);
    const session = await open({ filesystem: filesystem(throwing(thrown)) });
    const error = failureOf(() => session.insertResult(call('read'), { read: { path: 'a' } }));
    expect(error.detail).toEqual({
      code: 'filesystem',
      path: '/work/app/a',
      problem:
        'a FileError has the code "busy", not one of not-found, denied, is-directory, not-a-file, unreadable',
    });
    expect(session.insertResult(call(), { output: 'x' }).id).toBe('#0001');
  });

  it('fails `lastRead` too where resolving does', async () => {
    const tree = new MemoryTree();
    const broken = { read: tree.read.bind(tree), identify: throwing(new Error('gone')) };
    const session = await open({ filesystem: broken });
    const error = failureOf(() => session.lastRead('a'));
    expect(error.detail).toMatchObject({ code: 'filesystem', path: '/work/app/a' });
  });
});
