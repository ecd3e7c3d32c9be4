/**
 * A caller's arguments to what the glue takes.
 *
 * Types are checked first, since a caller may be written in JavaScript: the glue throws half-way
 * through a call, or takes -1 for 4294967295. What the contract says of values is the component's
 * to check. A lone surrogate becomes U+FFFD where the glue encodes a string, with `TextEncoder`,
 * and nowhere else.
 */
import { contentOf, hashedContentOf } from './content.js';
import { describe, WaybreadError } from './errors.js';
import type * as Context from './generated/interfaces/waybread-context-context.js';
import type { Hosts } from './ports.js';
import type {
  ChangeSet,
  FileChange,
  LineWindow,
  Outcome,
  ReadRequest,
  Settings,
  ToolCall,
} from './values.js';

/** The contract counts with 32 bits. */
export const MOST = 0xffff_ffff;

/** A string, by the argument's name in the contract. */
export function string(value: unknown, argument: string): string {
  return typeof value === 'string' ? value : refuse(argument, `is ${kindOf(value)}, not a string`);
}

/** Settings with their defaults. */
export function settings(given: Settings): Context.Settings {
  object(given, 'settings');
  const { kind = 'agent', root, home, overrides } = given;
  if (!['agent', 'chat'].includes(kind)) {
    refuse('settings.kind', `is ${kindOf(kind)}, not "agent" or "chat"`);
  }
  return {
    kind,
    root: string(root, 'settings.root'),
    overrides: overridesOf(overrides),
    ...optional('home', home, (value) => string(value, 'settings.home')),
  };
}

function overridesOf(given: Settings['overrides']): string {
  if (given === undefined) return '';
  if (typeof given === 'string') return given;
  object(given, 'settings.overrides');
  let spelled: unknown;
  try {
    spelled = JSON.stringify(given);
  } catch (error) {
    return refuse('settings.overrides', `cannot be written as JSON: ${describe(error)}`);
  }
  // `toJSON` may answer what JSON does not have.
  if (typeof spelled === 'string') return spelled;
  return refuse('settings.overrides', 'cannot be written as JSON: its `toJSON` answers no value');
}

/** A call, as the provider gave it. */
export function toolCall(given: ToolCall): Context.ToolCall {
  object(given, 'call');
  return {
    id: string(given.id, 'call.id'),
    name: string(given.name, 'call.name'),
    arguments: string(given.arguments, 'call.arguments'),
  };
}

/** What a session works with: objects with the right methods. */
export function hosts(given: Hosts): Hosts {
  object(given, 'hosts');
  methods(given.storage, 'storage', ['append', 'readLog', 'readText']);
  methods(given.filesystem, 'filesystem', ['identify', 'read']);
  return given;
}

function methods(given: object, argument: string, names: readonly string[]): void {
  object(given, argument);
  for (const name of names) {
    const method: unknown = Reflect.get(given, name);
    if (typeof method !== 'function') refuse(argument, `has no method \`${name}\``);
  }
}

/** Which lines are asked for; `prefix` stands before the arguments' names. */
export function lineWindow(given: LineWindow, prefix: string): { offset?: number; limit?: number } {
  object(given, 'window');
  return {
    ...optional('offset', given.offset, (value) => count(value, `${prefix}offset`)),
    ...optional('limit', given.limit, (value) => count(value, `${prefix}limit`)),
  };
}

function count(given: unknown, argument: string): number {
  if (typeof given !== 'number') return refuse(argument, `is ${kindOf(given)}, not a number`);
  if (!isCount(given)) {
    return refuse(argument, `is ${String(given)}, not a whole number from 0 to ${String(MOST)}`);
  }
  return given;
}

/** Whether the contract can hold it as a number. */
export function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MOST;
}

/** An outcome as the case that it is. */
export function outcome(given: Outcome): Context.Outcome {
  object(given, 'outcome');
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  const [only] = named;
  if (only === undefined || named.length !== 1) return refuseOutcome(named);
  if ('output' in given) return { tag: 'output', val: string(given.output, 'output') };
  if ('failure' in given) return { tag: 'failure', val: string(given.failure, 'failure') };
  if ('read' in given) return { tag: 'read', val: readRequest(given.read) };
  if ('changes' in given) return { tag: 'changes', val: changeSet(given.changes) };
  return refuseOutcome(named);
}

function refuseOutcome(named: [string, unknown][]): never {
  const names = named.map(([name]) => `\`${name}\``).join(', ');
  const found = names === '' ? 'is empty' : `holds ${names}`;
  return refuse(
    'outcome',
    `${found}, not one of \`read\`, \`changes\`, \`output\` and \`failure\``,
  );
}

function readRequest(given: ReadRequest): Context.ReadRequest {
  object(given, 'read');
  const { path, force = false } = given;
  if (typeof force !== 'boolean') refuse('read.force', `is ${kindOf(force)}, not a boolean`);
  return { path: string(path, 'read.path'), force, ...lineWindow(given, 'read.') };
}

function changeSet(given: ChangeSet): Context.ChangeSet {
  object(given, 'changes');
  const files: unknown = given.files;
  if (!Array.isArray(files)) return refuse('changes.files', `is ${kindOf(files)}, not an array`);
  return {
    // `map` would pass over holes.
    files: Array.from(given.files, (file, n) => fileChange(file, `changes.files[${String(n)}]`)),
    ...optional('note', given.note, (note) => string(note, 'changes.note')),
  };
}

function fileChange(given: FileChange, argument: string): Context.FileChange {
  object(given, argument);
  return {
    path: string(given.path, `${argument}.path`),
    ...optional('before', given.before, (side) => contentOf(content(side, `${argument}.before`))),
    ...optional('after', given.after, (side) =>
      hashedContentOf(content(side, `${argument}.after`)),
    ),
  };
}

function content(given: unknown, argument: string): string | Uint8Array {
  if (typeof given === 'string' || given instanceof Uint8Array) return given;
  return refuse(argument, `is ${kindOf(given)}, not a string or a Uint8Array`);
}

function object(given: unknown, argument: string): void {
  if (typeof given === 'object' && given !== null) return;
  refuse(argument, `is ${kindOf(given)}, not an object`);
}

/** A field that is left out where there is nothing to put in it. */
function optional<K extends string, T, U>(
  key: K,
  value: T | undefined,
  convert: (value: T) => U,
): Partial<Record<K, U>> {
  return value === undefined ? {} : ({ [key]: convert(value) } as Record<K, U>);
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return typeof value === 'string' ? JSON.stringify(value) : `of type ${typeof value}`;
}

function refuse(argument: string, problem: string): never {
  const message = `\`${argument}\` ${problem}`;
  throw new WaybreadError({ code: 'invalid-argument', argument, problem }, message);
}
