/** The memory of one context's session, which can be kept elsewhere when it is done. */
import { MemoryStorage } from '../memory-storage.js';
import type { Storage, StoredText } from '../ports.js';

const KEY = 'replay';

/** Memory is fast; one append at the end is one write to a disk. */
export class ReplayStorage extends MemoryStorage {
  /** The session's key here. */
  readonly key = KEY;
  readonly #texts: StoredText[] = [];

  override append(
    session: string,
    expectedLength: number,
    records: readonly string[],
    texts: readonly StoredText[],
  ): void {
    super.append(session, expectedLength, records, texts);
    this.#texts.push(...texts);
  }

  /** Stores the session, if one was begun, under another key. */
  putInto(storage: Storage, key: string): void {
    const log = this.readLog(KEY, 0);
    if (log.length > 0) storage.append(key, 0, log, this.#texts);
  }
}

/** The conversation of a recording: it has the session's own name. */
const FIRST = 'main';

/** The key under which a context of a replayed session is kept. */
export function keyOf(session: string, context: string): string {
  return context === FIRST ? session : `${session}/${context}`;
}
