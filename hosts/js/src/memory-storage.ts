import { StorageError } from './errors.js';
import type { Storage, StoredText } from './ports.js';

interface Log {
  readonly records: string[];
  readonly texts: Map<string, string>;
}

/** Sessions in memory, gone with the process: for tests, for replays, for a browser's page. */
export class MemoryStorage implements Storage {
  readonly #logs = new Map<string, Log>();

  append(
    session: string,
    expectedLength: number,
    records: readonly string[],
    texts: readonly StoredText[],
  ): void {
    const log = this.#logs.get(session) ?? { records: [], texts: new Map<string, string>() };
    const { length } = log.records;
    if (length !== expectedLength) throw new StorageError({ code: 'conflict', length });
    refuseSecond(log, texts);
    log.records.push(...records);
    for (const { id, text } of texts) log.texts.set(id, text);
    this.#logs.set(session, log);
  }

  readLog(session: string, start: number): readonly string[] {
    return this.#logs.get(session)?.records.slice(start) ?? [];
  }

  readText(session: string, id: string): string {
    const text = this.#logs.get(session)?.texts.get(id);
    if (text === undefined) throw new StorageError({ code: 'not-found' });
    return text;
  }
}

/** A text is never replaced. */
function refuseSecond(log: Log, texts: readonly StoredText[]): void {
  const ids = new Set<string>();
  for (const { id } of texts) {
    if (log.texts.has(id) || ids.has(id)) {
      throw new StorageError({ code: 'other', message: `the text ${id} is stored already` });
    }
    ids.add(id);
  }
}
