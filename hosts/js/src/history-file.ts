/** The history archive in a file. */
import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { WaybreadError } from './errors.js';
import type { Session } from './session.js';
import { reason } from './system-words.js';

/**
 * Writes a session's history archive ({@link Session.history}) to a file, in the place of one that is
 * there, whole or not at all: it is written beside itself and moved. An empty history writes nothing,
 * and leaves what is there. Returns whether it wrote.
 *
 * @throws {@link WaybreadError}: `storage`; `filesystem` if the file can't be written, as in a folder
 * that is not there. What was there stands then.
 *
 * @example
 * ```ts
 * writeHistory(session, '/home/ada/app/history.md');
 * ```
 */
export function writeHistory(session: Pick<Session, 'history'>, file: string): boolean {
  const history = session.history();
  if (history === '') return false;
  try {
    replace(file, history);
  } catch (error) {
    throw unwritten(path.resolve(file), error);
  }
  return true;
}

function unwritten(file: string, error: unknown): WaybreadError {
  const problem = reason(error);
  const message = `the history cannot be written to \`${file}\`: ${problem}`;
  return new WaybreadError({ code: 'filesystem', path: file, problem }, message, { cause: error });
}

/** A file beside it takes its place when it is all there. */
function replace(file: string, content: string): void {
  const beside = `${file}.${randomUUID()}`;
  try {
    writeThrough(beside, content);
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

function writeThrough(file: string, content: string): void {
  const descriptor = openSync(file, 'wx');
  try {
    writeFileSync(descriptor, content);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
