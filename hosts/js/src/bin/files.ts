/** The recordings that a command line names. */
import { readdirSync, readFileSync, statSync, type Dirent, type Stats } from 'node:fs';
import path from 'node:path';
import type { Recording } from '../replay.js';
import { reason } from '../system-words.js';

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
  for (const found of search(folder)) {
    any = true;
    yield found;
  }
  if (any) return;
  const message = `the folder holds no recording (${ENDINGS.join(', ')})`;
  yield { name: nameOf(folder), error: { message } };
}

/** The recordings in a folder and its folders, in the order of their names. */
function* search(folder: string): Generator<Recording> {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    yield unreadable(folder, error);
    return;
  }
  entries.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
  for (const entry of entries) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* search(file);
    else if (ENDINGS.includes(path.extname(entry.name)) && isFile(file)) yield recording(file);
  }
}

function recording(file: string): Recording {
  const name = nameOf(file);
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    return unreadable(file, error);
  }
  try {
    const content = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { name, content };
  } catch {
    return { name, error: { line: firstBadLine(bytes), message: 'is not UTF-8' } };
  }
}

function unreadable(file: string, error: unknown): Recording {
  return { name: nameOf(file), error: { message: `cannot be read: ${reason(error)}` } };
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

/** Whether it is a folder, or a link to one. */
export function isDirectory(file: string): boolean {
  return statsOf(file)?.isDirectory() ?? false;
}

/** Whether it is a file, or a link to one. */
export function isFile(file: string): boolean {
  return statsOf(file)?.isFile() ?? false;
}

/** Where links lead. Nothing where they lead nowhere or round in a circle. */
function statsOf(file: string): Stats | undefined {
  try {
    return statSync(file);
  } catch {
    return undefined;
  }
}

function nameOf(file: string): string {
  return path.basename(path.resolve(file));
}
