/** A conversation that is carried on: from a file, after a crash, beside another writer. */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  MemoryStorage,
  MemoryTree,
  Session,
  TrappedError,
  type Dialect,
  type Storage,
} from '../src/index.js';
import type { Component } from '../src/component.js';
import { SqliteStorage } from '../src/sqlite.js';
import { DIALECTS, measured, PARAMETERS, replyOf, step } from './helpers/conversation.js';
import { temporaryFolder } from './helpers/folder.js';
import { limitedComponent } from './helpers/limited-component.js';
import { detailOf, open, ROOT, thrownBy } from './helpers/session.js';

const SETTINGS = { dialect: 'openai-chat' as const };

/** A running turn with a result in it, and its request. */
async function begun(storage: Storage, dialect: Dialect = 'openai-chat'): Promise<Session> {
  const session = await open({ storage }, { dialect });
  session.addMessage({ user: { text: 'Go, 😀.' } });
  step(session, dialect, 'ä\0€\n'.repeat(300));
  session.buildRequest(PARAMETERS);
  return session;
}

describe.each(DIALECTS)('a conversation in %s', (dialect) => {
  it('goes on from an SQLite file with the same request', async () => {
    const file = path.join(temporaryFolder(), 'sessions.sqlite');
    const [first, storage] = [new SqliteStorage(file), new MemoryStorage()];
    await begun(first, dialect);
    first.close();
    const uninterrupted = await begun(storage, dialect);
    const resumed = await open({ storage: new SqliteStorage(file) }, { dialect });
    const request = resumed.buildRequest(PARAMETERS);
    const same = uninterrupted.buildRequest(PARAMETERS);
    expect(request).toMatchObject({ number: 2, keep: 0, tail: request.body, ...measured(request) });
    // Only the calls' ids, which the test counts up, differ between the two.
    const ids = /reply-call-\d+/g;
    expect(request.body.replace(ids, 'id')).toBe(same.body.replace(ids, 'id'));
    expect(request.shared).toBe(request.length);
    expect(resumed.conversation()).toHaveLength(2);
    step(resumed, dialect, 'on');
    const next = resumed.buildRequest(PARAMETERS);
    expect(next).toMatchObject(measured(next));
    expect(next.keep).toBeGreaterThan(0);
  });
});

describe('two writers of one conversation', () => {
  it('do not both win, and the slower one carries on from what the faster wrote', async () => {
    const storage = new SqliteStorage(path.join(temporaryFolder(), 'sessions.sqlite'));
    const one = await begun(storage);
    const other = await open({ storage }, SETTINGS);
    step(one, 'openai-chat', 'first');
    const late = { reply: { json: replyOf('openai-chat', 'late') } };
    expect(detailOf(() => other.addMessage(late))).toMatchObject({ code: 'conflict' });
    expect(detailOf(() => other.buildRequest(PARAMETERS))).toMatchObject({ code: 'conflict' });
    other.reopen();
    const next = other.buildRequest(PARAMETERS);
    one.reopen();
    expect(one.buildRequest(PARAMETERS).body).toBe(next.body);
  });
});

describe('a conversation whose component stops', () => {
  it('is opened again, and its next request is the same', async () => {
    const component = await limitedComponent(160);
    const storage = new MemoryStorage();
    const hosts = { storage, filesystem: new MemoryTree() };
    const session = Session.begin(component, 'session', { root: ROOT, ...SETTINGS }, hosts);
    session.addMessage({ user: { text: 'Go.' } });
    step(session, 'openai-chat', 'kept\n'.repeat(100));
    const before = session.buildRequest(PARAMETERS);
    const tooMuch = { user: { text: 'x'.repeat(16 << 20) } };
    expect(thrownBy(() => session.addMessage(tooMuch))).toBeInstanceOf(TrappedError);
    const after = session.buildRequest(PARAMETERS);
    expect(after).toMatchObject({
      number: 2,
      keep: 0,
      shared: after.length,
      difference: undefined,
    });
    expect(after.body).toBe(before.body);
    step(session, 'openai-chat', 'on');
    const next = session.buildRequest(PARAMETERS);
    expect(next).toMatchObject({ difference: undefined, ...measured(next) });
    expect(next.keep).toBeGreaterThan(0);
  });
});

describe('a request that does not fit the body before it', () => {
  it('fails with what is wrong, and the next one is whole', async () => {
    const component = await limitedComponent(160);
    let wrong = 0;
    // A component with a fault: it says that more stands than there is.
    const faulty = Object.create(component, {
      instantiate: {
        value: (...given: Parameters<Component['instantiate']>) => {
          const { Session: Inner } = component.instantiate(...given);
          const open: typeof Inner.open = (...opening) => {
            const inner = Inner.open(...opening);
            const build = inner.buildRequest.bind(inner);
            inner.buildRequest = (parameters) => {
              const request = build(parameters);
              return { ...request, keep: request.keep + wrong };
            };
            return inner;
          };
          return { Session: { open } };
        },
      },
    }) as Component;
    const hosts = { storage: new MemoryStorage(), filesystem: new MemoryTree() };
    const session = Session.begin(faulty, 'session', { root: ROOT, ...SETTINGS }, hosts);
    session.addMessage({ user: { text: 'Go.' } });
    const { body, length } = session.buildRequest(PARAMETERS);
    wrong = 1000;
    const error = thrownBy(() => session.buildRequest(PARAMETERS));
    expect(error).toBeInstanceOf(TrappedError);
    expect((error as TrappedError).message).toMatch(
      new RegExp(`request 2 keeps \\d+ bytes, and the body before it has ${String(length)}`),
    );
    wrong = 0;
    expect(session.buildRequest(PARAMETERS)).toMatchObject({ number: 3, keep: 0, body });
  });
});

describe('a storage that may have written', () => {
  it('is asked again, and no message is lost or doubled', async () => {
    const storage = new MemoryStorage();
    const session = await begun(storage);
    const append = storage.append.bind(storage);
    storage.append = (...given) => {
      append(...given);
      throw new Error('the connection is gone');
    };
    const message = { user: { text: 'more', delivery: 'step-boundary' as const } };
    expect(() => session.addMessage(message)).toThrow('the connection is gone');
    storage.append = append;
    expect(session.conversation().map(({ text }) => text)).toEqual(['Go, 😀.', 'Next.', 'more']);
    const request = session.buildRequest(PARAMETERS);
    expect(request).toMatchObject({ keep: 0, difference: undefined, ...measured(request) });
  });
});
