/** A session that somebody kept, opened for a look: nothing is written. */
import { refuse } from '../arguments/check.js';
import { WaybreadError } from '../errors.js';
import type { Waybread } from '../load.js';
import { MemoryTree } from '../memory-tree.js';
import type { Storage } from '../ports.js';
import type { Session } from '../session.js';
import type { ContextReport, Dialect, Kind, Settings } from '../values.js';

/** The report of a session of which only the key is known. */
export function reportOnKept(
  waybread: Waybread,
  storage: Storage,
  key: string,
  parameters: string,
): ContextReport {
  const kept = new Unwritten(storage);
  const session = openForALook(waybread, kept, key);
  // One that was not there has begun by now, here alone.
  if (kept.begun) return refuse('key', `is \`${key}\`, which no session has`);
  const report = session.contextReport(parameters);
  // With the newest request's own parameters nothing is made again.
  if (promptOf(report) === promptOf(session.contextReport())) return report;
  return refuse(
    'parameters',
    "name another model than the session's newest request, for which its harness would make the " +
      'prompt again; must name the same model',
  );
}

/** What stands of the prompt, in bytes: tokens differ from model to model. */
function promptOf({ parts }: ContextReport): string {
  const ofPrompt = parts.filter(({ kind }) => kind === 'system' || kind === 'front');
  return JSON.stringify(ofPrompt.map(({ kind, name, count, bytes }) => [kind, name, count, bytes]));
}

/** Kind and dialect, which nobody knows, the log tells by refusing others; what was sent stands in it. */
function openForALook(waybread: Waybread, storage: Storage, key: string): Session {
  const hosts = { storage, filesystem: new MemoryTree() };
  let settings: Settings = { root: '/', dialect: 'openai-chat' };
  for (;;) {
    try {
      return waybread.open(key, settings, hosts);
    } catch (error) {
      settings = asKept(settings, error);
    }
  }
}

/** The settings with what the log has; each can differ once. */
function asKept(settings: Settings, error: unknown): Settings {
  if (!(error instanceof WaybreadError) || error.detail.code !== 'settings-differ') throw error;
  const { name, kept } = error.detail;
  if (name === 'kind' && settings.kind === undefined) return { ...settings, kind: kept as Kind };
  if (name !== 'dialect' || settings.dialect !== 'openai-chat') throw error;
  return { ...settings, dialect: kept === 'none' ? undefined : (kept as Dialect) };
}

/** A storage that is read. What is appended is in the session that appends it, and goes with it. */
class Unwritten implements Storage {
  /** Whether a session began. */
  begun = false;
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  append(_session: string, expectedLength: number): void {
    this.begun ||= expectedLength === 0;
  }

  readLog(session: string, start: number): readonly string[] {
    return this.#storage.readLog(session, start);
  }

  readText(session: string, id: string): string {
    return this.#storage.readText(session, id);
  }
}
