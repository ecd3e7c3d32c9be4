/** Checks that arguments have in common. `argument` is what errors call one: `settings.tools[2].name`. */
import { describe, WaybreadError } from '../errors.js';

/** The contract counts with 32 bits. */
export const MOST = 0xffff_ffff;

/** Refuses an argument. */
export function refuse(argument: string, problem: string): never {
  const message = `\`${argument}\` ${problem}`;
  throw new WaybreadError({ code: 'invalid-argument', argument, problem }, message);
}

/** A string. */
export function string(value: unknown, argument: string): string {
  return typeof value === 'string' ? value : refuseKind(value, argument, 'a string');
}

/** A boolean. */
export function boolean(value: unknown, argument: string): boolean {
  return typeof value === 'boolean' ? value : refuseKind(value, argument, 'a boolean');
}

/** A number that the contract can hold. */
export function count(value: unknown, argument: string): number {
  if (typeof value !== 'number') return refuseKind(value, argument, 'a number');
  if (isCount(value)) return value;
  return refuse(argument, `is ${String(value)}, not a whole number from 0 to ${String(MOST)}`);
}

/** Whether the contract can hold it as a number. */
export function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MOST;
}

/** A number of 64 bits in the contract, as far as JavaScript has whole numbers. */
export function longCount(value: unknown, argument: string): bigint {
  if (typeof value !== 'number') return refuseKind(value, argument, 'a number');
  if (Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  const most = String(Number.MAX_SAFE_INTEGER);
  return refuse(argument, `is ${String(value)}, not a whole number from 0 to ${most}`);
}

/** One of some words. */
export function oneOf<T extends string>(value: T, argument: string, words: readonly T[]): T {
  if (words.includes(value)) return value;
  const [last, ...others] = words.map((word) => JSON.stringify(word)).reverse();
  return refuseKind(value, argument, [others.reverse().join(', '), last].join(' or '));
}

/** An array, each of its items by its place. */
export function list<T, U>(
  value: readonly T[],
  argument: string,
  item: (value: T, argument: string) => U,
): U[] {
  if (!Array.isArray(value)) return refuseKind(value, argument, 'an array');
  // `map` would pass over holes.
  return Array.from<T, U>(value, (each, n) => item(each, `${argument}[${String(n)}]`));
}

/** An object that has no other keys than these. */
export function object<T extends object>(
  value: T,
  argument: string,
  keys: readonly (keyof T & string)[],
): void {
  someObject(value, argument);
  const known: readonly string[] = keys;
  const odd = Object.keys(value).find((key) => !known.includes(key));
  if (odd === undefined) return;
  refuse(`${argument}.${odd}`, `is unknown: \`${argument}\` has ${words(known, 'and')}`);
}

/** An object. */
export function someObject(value: unknown, argument: string): asserts value is object {
  if (typeof value !== 'object' || value === null) refuseKind(value, argument, 'an object');
}

/** How each case of a variant is converted, by its name. */
type Cases<T> = Readonly<Record<string, (value: never, argument: string) => T>>;

/** An object with one key, which names the case of a variant. */
export function variant<T>(value: object, argument: string, cases: Cases<T>, prefix = ''): T {
  someObject(value, argument);
  const given = Object.entries(value).filter(([, content]) => content !== undefined);
  const [name = '', content] = given[0] ?? [];
  const convert = Object.hasOwn(cases, name) ? cases[name] : undefined;
  if (convert !== undefined && given.length === 1) return convert(content as never, prefix + name);
  const names = given.map(([key]) => `\`${key}\``).join(', ');
  const found = names === '' ? 'is empty' : `holds ${names}`;
  return refuse(argument, `${found}, not one of ${words(Object.keys(cases), 'and')}`);
}

/** JSON: text as it is, a value as `JSON.stringify` spells it. */
export function json(value: unknown, argument: string): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) {
    return refuseKind(value, argument, 'an object or JSON text');
  }
  refuseOdd(value, argument);
  let spelled: unknown;
  try {
    spelled = JSON.stringify(value);
  } catch (error) {
    return refuse(argument, `cannot be written as JSON: ${describe(error)}`);
  }
  // `toJSON` may answer what JSON does not have.
  if (typeof spelled === 'string') return withoutLoneSurrogates(spelled);
  return refuse(argument, 'cannot be written as JSON: its `toJSON` answers no value');
}

/** Refuses what `JSON.stringify` would write something else for, without a word. */
function refuseOdd(value: object, argument: string): void {
  if (SCHEMA_MARKS.some((mark) => mark in value)) {
    refuse(argument, 'is a schema of a library, not JSON Schema: of zod `z.toJSONSchema` makes it');
  }
  if ('then' in value) refuse(argument, 'is a promise, not its value: await it');
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1);
  if (kind === 'Object' || kind === 'Array' || 'toJSON' in value) return;
  refuse(argument, `is a ${kind}, not a plain object or JSON text`);
}

/** How validation libraries mark their schemas: Standard Schema, and zod before it. */
const SCHEMA_MARKS = ['~standard', '_zod', '_def'];

/** `JSON.stringify` escapes a lone surrogate, and no pair. */
function withoutLoneSurrogates(spelled: string): string {
  if (!spelled.includes('\\ud')) return spelled;
  return spelled.replace(/\\(?:ud[89a-f][\da-f]{2}|.)/g, (escape) =>
    escape.startsWith('\\ud') ? '\ufffd' : escape,
  );
}

/** A field that is left out where there is nothing to put in it. */
export function optional<K extends string, T, U>(
  key: K,
  value: T | undefined,
  convert: (value: T) => U,
): Partial<Record<K, U>> {
  return value === undefined ? {} : ({ [key]: convert(value) } as Record<K, U>);
}

function words(names: readonly string[], and: string): string {
  const quoted = names.map((name) => `\`${name}\``);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} ${and} ${last}`;
}

/** Refuses what is of another type. */
export function refuseKind(value: unknown, argument: string, right: string): never {
  return refuse(argument, `is ${kindOf(value)}, not ${right}`);
}

/** So much of a string is shown: it may be a whole file. */
const SHOWN = 60;

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (value instanceof Uint8Array) return 'a Uint8Array';
  if (typeof value !== 'string') return `of type ${typeof value}`;
  return JSON.stringify(value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value);
}
