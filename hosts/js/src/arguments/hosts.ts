/** What a session works with. */
import type { Hosts } from '../ports.js';
import { object, refuse, someObject } from './check.js';

/** Objects with the right methods. */
export function hosts(given: Hosts): Hosts {
  object(given, 'hosts', ['storage', 'filesystem']);
  methods(given.storage, 'storage', ['append', 'readLog', 'readText']);
  methods(given.filesystem, 'filesystem', ['identify', 'read']);
  return given;
}

function methods(given: object, argument: string, names: readonly string[]): void {
  someObject(given, argument);
  for (const name of names) {
    const method: unknown = Reflect.get(given, name);
    if (typeof method !== 'function') refuse(argument, `has no method \`${name}\``);
  }
}
