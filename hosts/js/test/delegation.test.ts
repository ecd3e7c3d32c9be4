/** Subagents: sessions of their own, beside the one that gave them work. */
import { describe, expect, it } from 'vitest';
import { MemoryStorage, MemoryTree, Session, StorageError, TrappedError } from '../src/index.js';
import type { Storage, Settings, Delegation } from '../src/index.js';
import { replyOf } from './helpers/conversation.js';
import { limitedComponent } from './helpers/limited-component.js';
import { detailOf, open, ROOT, thrownBy } from './helpers/session.js';

const date = { part: 'session-date', text: '2026-11-30' } as const;
const tools = ['read', 'bash'].map((name) => ({ name }));
const SETTINGS: Partial<Settings> = {
  dialect: 'openai-chat',
  tools,
  overrides: { delegation: { max_chars: 40 } },
  prompt: { sources: [{ part: 'preamble', text: 'You lead.' }, date] },
};
const FINDER: Delegation = {
  key: 'child',
  kind: 'finder',
  prompt: { sources: [{ part: 'preamble', text: 'You look.' }] },
  onlyTools: ['read'],
};

/** A call of the tool `task`, which is open. */
function ask(session: Session, id = 'task-1') {
  const call = { id, type: 'function', function: { name: 'task', arguments: '{}' } };
  session.addMessage({ reply: { json: { role: 'assistant', content: null, tool_calls: [call] } } });
  return { id, name: 'task', arguments: '{}' };
}

/** A session that was asked something, and its storage. */
async function parent(storage: Storage = new MemoryStorage()) {
  const session = await open({ storage }, SETTINGS);
  session.addMessage({ user: { text: 'Where is it?' } });
  return session;
}

describe('a subagent', () => {
  it('has what its parent has, but for messages and prompt', async () => {
    const session = await parent();
    const child = session.delegate(FINDER);
    expect(child.conversation()).toEqual([]);
    expect(child.setting('delegation.max_chars')).toBe('40');
    child.addMessage({ user: { sender: 'machine', text: 'Look.' } });
    const { body } = child.buildRequest();
    expect(body).toContain('You look.');
    expect(body).toContain('2026-11-30');
    for (const other of ['You lead.', 'Where is it?', '"bash"']) expect(body).not.toContain(other);
    expect(body).toContain('"read"');
  });

  it('works while its parent does, and its answer is held', async () => {
    const session = await parent();
    const call = ask(session);
    const child = session.delegate(FINDER);
    expect(session.delegates()).toEqual([{ key: 'child', kind: 'finder', state: 'running' }]);
    child.addMessage({ user: { text: 'Look.' } });
    session.delegateProgress('child', 'queued');
    child.addMessage({ reply: { json: replyOf('openai-chat', 'Found.') } });
    expect(session.delegates()).toMatchObject([{ state: 'queued' }]);
    const text = 'It is there.\n'.repeat(20);
    const inserted = session.insertResult(call, { delegated: { key: 'child', text } });
    expect(inserted.text).toMatch(/^\[#0001 finder child\] Capped: /);
    expect(inserted.treatment).toBe('capped');
    expect(session.storedText('1')).toBe(text);
    expect(session.delegates()).toMatchObject([{ state: '' }]);
    expect(child.conversation()).toHaveLength(2);
    expect(session.conversation()).toHaveLength(2);
  });

  it('is carried on by a follow-up, and by opening it', async () => {
    const storage = new MemoryStorage();
    const session = await parent(storage);
    session.delegate(FINDER).addMessage({ user: { text: 'Look.' } });
    const again = session.delegate(FINDER);
    expect(again.conversation()).toMatchObject([{ text: 'Look.' }]);
    const hosts = { storage, filesystem: new MemoryTree() };
    const settings = { root: ROOT, dialect: 'openai-chat' } as const;
    const opened = await Session.open('child', settings, hosts);
    expect(opened.conversation()).toEqual(again.conversation());
  });

  it('has subagents of its own, with the same date', async () => {
    const session = await parent();
    const child = session.delegate(FINDER);
    const grandchild = child.delegate({ key: 'grandchild', kind: 'finder' });
    for (const each of [child, grandchild]) {
      each.addMessage({ user: { text: 'Look.' } });
      expect(each.buildRequest({ model: 'one' }).body).toContain(date.text);
      // Made again for another model.
      expect(each.buildRequest({ model: 'two' }).body).toContain(date.text);
    }
    expect(child.delegates()).toMatchObject([{ key: 'grandchild' }]);
  });

  it('has the date that its parent tells, not one that is still to be told', async () => {
    const storage = new MemoryStorage();
    const given: Partial<Settings> = {
      dialect: 'openai-chat',
      recall: false,
      prompt: { sources: [date] },
    };
    const earlier = await open({ storage }, given);
    earlier.setPrompt({ sources: [{ ...date, text: '2026-12-01' }] });
    const session = await open({ storage }, given);
    const child = session.delegate({ ...FINDER, onlyTools: undefined });
    child.addMessage({ user: { text: 'Look.' } });
    for (const model of ['m', 'z']) {
      // The Python host's test has these bytes too.
      expect(child.buildRequest({ model }).body).toBe(
        `{"model":"${model}","messages":[` +
          '{"role":"system","content":"You look.\\n\\nProject: app (paths are relative to its root)"},' +
          '{"role":"user","content":"Current date: 2026-11-30, recorded when this session started."},' +
          '{"role":"user","content":"Look."}]}',
      );
    }
  });

  it('has files read for its prompt that its parent has not', async () => {
    const filesystem = new MemoryTree({ [`${ROOT}/map.md`]: 'a map', [`${ROOT}/own.md`]: 'own' });
    const assembly = { contextFiles: ['own.md'] };
    const session = await open({ filesystem }, { ...SETTINGS, assembly });
    const files = (each: Session) =>
      each.promptReport().flatMap(({ part, name }) => (part === 'project-context' ? [name] : []));
    expect(files(session.delegate(FINDER))).toEqual([]);
    const reader = { ...FINDER, key: 'reader', assembly: { contextFiles: ['map.md'] } };
    expect(files(session.delegate(reader))).toEqual(['map.md']);
    expect(files(session)).toEqual(['own.md']);
  });

  it('keeps prompt, files and tools in a follow-up that tells of none', async () => {
    const filesystem = new MemoryTree({ [`${ROOT}/map.md`]: 'a map' });
    const session = await open({ filesystem }, SETTINGS);
    session.delegate({ ...FINDER, assembly: { contextFiles: ['map.md'] } });
    const { key, kind } = FINDER;
    const child = session.delegate({ key, kind });
    child.addMessage({ user: { text: 'Look.' } });
    const { body } = child.buildRequest({ model: 'one' });
    for (const own of ['You look.', 'a map', date.text, '"read"']) expect(body).toContain(own);
    const again = child.buildRequest({ model: 'two' });
    expect(again.body).toBe(body.replace('"one"', '"two"'));
  });

  it('takes the prompt that a follow-up has when it is next made', async () => {
    const session = await parent();
    session.delegate(FINDER);
    const prompt = { sources: [{ part: 'preamble', text: 'You dig.' }] } as const;
    const child = session.delegate({ ...FINDER, prompt });
    child.addMessage({ user: { text: 'Look.' } });
    expect(child.buildRequest({ model: 'one' }).body).toContain('You look.');
    expect(child.buildRequest({ model: 'two' }).body).toContain('You dig.');
  });

  it('has no tools taken away by a follow-up', async () => {
    const session = await parent();
    session.delegate(FINDER);
    expect(detailOf(() => session.delegate({ ...FINDER, onlyTools: ['bash'] }))).toMatchObject({
      code: 'invalid-argument',
      argument: 'delegation.only-tools',
    });
  });

  it('costs one record in each log', async () => {
    const storage = new MemoryStorage();
    const session = await parent(storage);
    const before = storage.readLog('session', 0).length;
    session.delegate(FINDER).conversation();
    expect(storage.readLog('session', 0)).toHaveLength(before + 1);
    expect(storage.readLog('child', 0)).toHaveLength(1);
  });

  it('is not opened by a delegation that fails', async () => {
    const session = await parent();
    const refused = (delegation: object) =>
      detailOf(() => session.delegate(delegation as Delegation));
    expect(refused({ ...FINDER, key: 'session' })).toMatchObject({ argument: 'delegation.key' });
    expect(refused({ ...FINDER, kind: ' ' })).toMatchObject({ argument: 'delegation.kind' });
    expect(refused({ key: 'child' })).toMatchObject({ argument: 'delegation.kind' });
    expect(refused({ ...FINDER, tools: [] })).toMatchObject({ argument: 'delegation.tools' });
    expect(refused({ ...FINDER, onlyTools: [1] })).toMatchObject({
      argument: 'delegation.onlyTools[0]',
    });
    expect(refused({ ...FINDER, assembly: { contextFiles: 'a' } })).toMatchObject({
      argument: 'delegation.assembly.contextFiles',
    });
    expect(
      detailOf(() => {
        session.delegateProgress('child', 'queued');
      }),
    ).toMatchObject({
      argument: 'key',
    });
    const call = ask(session);
    const answer = { delegated: { key: 'child', text: '' } };
    expect(detailOf(() => session.insertResult(call, answer))).toMatchObject({
      code: 'invalid-argument',
    });
    expect(session.delegates()).toEqual([]);
  });

  it('says by its first call that it can not be opened, and goes on when it can', async () => {
    const storage = new MemoryStorage();
    const session = await parent(storage);
    const child = session.delegate(FINDER);
    const readLog = () => {
      throw new StorageError({ code: 'denied' });
    };
    Object.assign(storage, { readLog });
    expect(thrownBy(() => child.conversation())).toMatchObject({ code: 'storage' });
    Reflect.deleteProperty(storage, 'readLog');
    expect(child.conversation()).toEqual([]);
  });
});

describe('a trap', () => {
  const TOO_MUCH = { user: { text: 'x'.repeat(16 << 20) } };

  it('of a subagent or its parent harms neither', async () => {
    const component = await limitedComponent(160);
    const hosts = { storage: new MemoryStorage(), filesystem: new MemoryTree() };
    const session = Session.begin(component, 'session', { root: ROOT, ...SETTINGS }, hosts);
    session.addMessage({ user: { text: 'Where is it?' } });
    const child = session.delegate(FINDER);
    child.addMessage({ user: { text: 'Look.' } });
    const { body } = session.buildRequest();
    for (const each of [child, session]) {
      expect(() => each.addMessage(TOO_MUCH)).toThrow(TrappedError);
      expect(child.conversation()).toMatchObject([{ text: 'Look.' }]);
      expect(session.conversation()).toMatchObject([{ text: 'Where is it?' }]);
    }
    expect(session.delegates()).toMatchObject([{ key: 'child', state: 'running' }]);
    expect(session.buildRequest().body).toBe(body);
    child.addMessage({ reply: { json: replyOf('openai-chat', 'Found.') } });
    expect(child.conversation()).toHaveLength(2);
    for (const model of ['one', 'two']) {
      expect(child.buildRequest({ model }).body).toContain('You look.');
    }
  });
});
