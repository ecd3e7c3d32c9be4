/** What a replay is given. */
import type { Recording, ReplayOptions } from '../replay.js';
import type { ImportError } from '../replay/report.js';
import { boolean, count, object, optional, refuseKind, string } from './check.js';
import { storage } from './hosts.js';

const OPTIONS: readonly (keyof ReplayOptions)[] = [
  'shellReads',
  'window',
  'preset',
  'summaryTokens',
  'storage',
  'onSession',
];

/** What can be gone through. A string can be too, by its characters, which are no recordings. */
export function recordings<T extends Iterable<Recording> | AsyncIterable<Recording>>(given: T): T {
  const value: unknown = given;
  const found = typeof value === 'object' && value !== null;
  if (found && (Symbol.iterator in value || Symbol.asyncIterator in value)) return given;
  return refuseKind(value, 'recordings', 'an array or another iterable of `{ name, content }`');
}

/** A recording by its place. */
export function recording(given: Recording, index: number): Recording {
  const argument = `recordings[${String(index)}]`;
  const value: unknown = given;
  if (typeof value !== 'object' || value === null) {
    return refuseKind(value, argument, 'an object `{ name, content }`');
  }
  const { name, content, error } = fieldsOf(given, argument);
  const named = { name: string(name, `${argument}.name`) };
  if (error !== undefined) return { ...named, error: importError(error, `${argument}.error`) };
  return { ...named, content: string(content, `${argument}.content`) };
}

interface Fields {
  readonly name: string;
  readonly content?: string | undefined;
  readonly error?: ImportError | undefined;
}

function fieldsOf(given: Fields, argument: string): Fields {
  object(given, argument, ['name', 'content', 'error']);
  return given;
}

function importError(given: ImportError, argument: string): ImportError {
  object(given, argument, ['line', 'message']);
  return {
    message: string(given.message, `${argument}.message`),
    ...optional('line', given.line, (line) => count(line, `${argument}.line`)),
  };
}

/** Options, but for the numbers of a window, whose ranges are looked at where it is planned. */
export function replayOptions(given: ReplayOptions): ReplayOptions {
  object(given, 'options', OPTIONS);
  const { shellReads = false, storage: kept, onSession } = given;
  boolean(shellReads, 'options.shellReads');
  if (kept !== undefined) storage(kept, 'options.storage');
  if (onSession !== undefined && typeof (onSession as unknown) !== 'function') {
    refuseKind(onSession, 'options.onSession', 'a function');
  }
  return given;
}
