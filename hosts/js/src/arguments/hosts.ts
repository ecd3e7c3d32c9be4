/** What a session works with. */
import type { Hosts, Storage } from '../ports.js';
import { object, refuse, someObject } from './check.js';

/** Objects with the right methods. */
export function hosts(given: Hosts): Hosts {
  object(given, 'hosts', ['storage', 'filesystem']);
  storage(given.storage, 'storage');
  methods(given.filesystem, 'filesystem', ['identify', 'read']);
  return given;
}

/** A storage by its methods. */
export function storage(given: Storage, argument: string): Storage {
  methods(given, argument, ['append', 'readLog', 'readText']);
  return given;
}

function methods(given: object, argument: string, names: readonly string[]): void {
  someObject(given, argument);
  for (const name of names) {
    const method: unknown = Reflect.get(given, name);
    if (typeof method !== 'function') refuse(argument, `has no method \`${name}\``);
  }
}
