import { describe, expect, it } from 'vitest';
import type { Component } from '../src/component.js';
import { MemoryStorage, MemoryTree, Session, TrappedError } from '../src/index.js';
import { limitedComponent } from './helpers/limited-component.js';
import { call, ROOT, thrownBy } from './helpers/session.js';

/** More than the limited component's memory, 8 MiB above what it begins with, can take. */
const TOO_MUCH = { output: 'x'.repeat(16 << 20) };

const component: Component = await limitedComponent(128);

function begin(storage: MemoryStorage, key = 'session'): Session {
  const filesystem = new MemoryTree({ '/work/app/a.ts': 'x\n' });
  return Session.begin(component, key, { root: ROOT }, { storage, filesystem });
}

describe('a component that runs out of memory', () => {
  it('fails the call with what stopped it', () => {
    const session = begin(new MemoryStorage());
    const error = thrownBy(() => session.insertResult(call(), TOO_MUCH));
    expect(error).toBeInstanceOf(TrappedError);
    expect((error as TrappedError).cause).toBeInstanceOf(WebAssembly.RuntimeError);
    expect((error as TrappedError).message).toContain('stopped in the middle of the call');
  });

  it('loses nothing: the session goes on from its storage', () => {
    const session = begin(new MemoryStorage());
    session.insertResult(call('read'), { read: { path: 'a.ts' } });
    const trapped = call();
    for (let times = 0; times < 3; times += 1) {
      expect(() => session.insertResult(trapped, TOO_MUCH)).toThrow(TrappedError);
    }
    expect(session.storedText('#0001')).toBe('1: x');
    expect(session.lastRead('a.ts')).toMatchObject({ id: '#0001' });
    expect(session.insertResult(call('read'), { read: { path: 'a.ts' } })).toMatchObject({
      id: '#0002',
      treatment: 'unchanged-read',
    });
    expect(session.insertResult(trapped, { output: 'less' }).id).toBe('#0003');
  });

  it('harms no other session', () => {
    const storage = new MemoryStorage();
    const [one, other] = [begin(storage, 'one'), begin(storage, 'other')];
    other.insertResult(call(), { output: 'kept' });
    expect(() => one.insertResult(call(), TOO_MUCH)).toThrow(TrappedError);
    expect(other.recall(call(), '1').text).toBe('[#0002 recall #0001 lines 1-1 of 1]\nkept');
  });

  it('opens by the next call where the storage fails meanwhile', () => {
    const storage = new MemoryStorage();
    const session = begin(storage);
    session.insertResult(call(), { output: 'kept' });
    const readLog = () => {
      throw new Error('away');
    };
    Object.assign(storage, { readLog });
    expect(() => session.insertResult(call(), TOO_MUCH)).toThrow(TrappedError);
    expect(() => session.insertResult(call(), { output: 'x' })).toThrow('away');
    Reflect.deleteProperty(storage, 'readLog');
    expect(session.insertResult(call(), { output: 'x' }).id).toBe('#0002');
  });

  it('fails opening too, where the log alone is too much', () => {
    const storage = new MemoryStorage();
    storage.append('session', 0, [JSON.stringify('x'.repeat(16 << 20))], []);
    expect(() => begin(storage)).toThrow(TrappedError);
  });
});
