/** The recordings that a command line names. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { getSystemErrorMap } from 'node:util';
import type { Recording } from '../replay.js';

/** How a recording's name ends, in a folder that is searched. */
const ENDINGS = ['.json', '.jsonl', '.ndjson', '.traj'];

/** The files that the paths name, and those in the folders that they name, one at a time. */
export function* recordings(paths: readonly string[]): Generator<Recording> {
  for (const given of paths) {
    if (isDirectory(given)) yield* inFolder(given);
    else yield recording(given);
  }
}

function* inFolder(folder: string): Generator<Recording> {
  let any = false;
  for (const file of search(folder)) {
    any = true;
    yield recording(file);
  }
  if (any) return;
  const message = `the folder holds no recording (${ENDINGS.join(', ')})`;
  yield { name: nameOf(folder), error: { message } };
}

/** The recordings in a folder and its folders, in the order of their names. */
function* search(folder: string): Generator<string> {
  const entries = readdirSync(folder, { withFileTypes: true });
  entries.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
  for (const entry of entries) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* search(file);
    else if (ENDINGS.includes(path.extname(entry.name)) && !isDirectory(file)) yield file;
  }
}

function recording(file: string): Recording {
  const name = nameOf(file);
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    return { name, error: { message: `cannot be read: ${reason(error)}` } };
  }
  try {
    const content = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { name, content };
  } catch {
    return { name, error: { line: firstBadLine(bytes), message: 'is not UTF-8' } };
  }
}

/** The line, from 1, with the first bytes that are not UTF-8. */
function firstBadLine(bytes: Buffer): number {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let line = 1, start = 0; ; line += 1) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline < 0 ? bytes.length : newline;
    try {
      decoder.decode(bytes.subarray(start, end));
    } catch {
      return line;
    }
    if (newline < 0) return line;
    start = end + 1;
  }
}

function isDirectory(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function nameOf(file: string): string {
  return path.basename(path.resolve(file));
}

/** `No such file or directory`: the system's words without the call and the path. */
function reason(error: unknown): string {
  const number = error instanceof Error && 'errno' in error ? Number(error.errno) : 0;
  const words = getSystemErrorMap().get(number)?.[1];
  if (words === undefined) return error instanceof Error ? error.message : String(error);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
