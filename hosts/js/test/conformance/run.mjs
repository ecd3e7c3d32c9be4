// Performs a case file on storage and files in memory, in Node and in a browser.
import { load, MemoryStorage, MemoryTree, StorageError, WaybreadError } from 'waybread';
import { readCaseFile } from './read.mjs';
import { content, put, text } from './texts.mjs';
import { errorAnswer, insertedAnswer, lastReadAnswer } from './transcript.mjs';

/** @import { Outcome, Session, Settings, StorageProblem, StoredText, Waybread } from 'waybread' */
/** @import { Case, CaseSettings, InsertResult, Recall, Step } from './case.d.ts' */

/**
 * The transcript of a case file, as conformance/README.md describes both.
 *
 * @param {string} json the case file's text
 */
export async function transcript(json) {
  const waybread = await load();
  const { cases } = readCaseFile(json);
  const lines = cases.flatMap((each) => new Running(waybread, each).perform());
  return lines.map((line) => line + '\n').join('');
}

/** Memory, and the error of the next append. */
class FailingStorage extends MemoryStorage {
  /** @type {StorageProblem | undefined} */
  next;

  /**
   * @param {string} session
   * @param {number} expectedLength
   * @param {readonly string[]} records
   * @param {readonly StoredText[]} texts
   * @override
   */
  append(session, expectedLength, records, texts) {
    const { next } = this;
    this.next = undefined;
    if (next !== undefined) throw new StorageError(next);
    super.append(session, expectedLength, records, texts);
  }
}

/** One case. */
class Running {
  #storage = new FailingStorage();
  #tree = new MemoryTree();
  #waybread;
  #case;
  /** @type {Session | undefined} */
  #opened;

  /**
   * @param {Waybread} waybread
   * @param {Case} given
   */
  constructor(waybread, given) {
    this.#waybread = waybread;
    this.#case = given;
  }

  /** The lines of the transcript. */
  perform() {
    const { name, files = {}, settings = {}, steps = [] } = this.#case;
    for (const [path, entry] of Object.entries(files)) put(this.#tree, path, entry);
    const failed = answered(() => {
      this.#open(settings);
      return undefined;
    });
    if (failed !== undefined) return [JSON.stringify({ case: name, step: 0, ...failed })];
    /** @type {string[]} */
    const lines = [];
    for (const [index, step] of steps.entries()) {
      const answer = answered(() => this.#step(step, index + 1));
      if (answer === undefined) continue;
      lines.push(JSON.stringify({ case: name, step: index + 1, ...answer }));
    }
    return lines;
  }

  get #session() {
    if (this.#opened === undefined) throw new Error('a step before the session is open');
    return this.#opened;
  }

  /** @param {CaseSettings} given */
  #open({ kind, root = '/work/app', home, overrides = '{}' }) {
    const settings = { kind, root, home: home ?? undefined, overrides };
    const hosts = { storage: this.#storage, filesystem: this.#tree };
    // A session that can't be opened again leaves the one that was open.
    this.#opened = this.#waybread.open('case', settings, hosts);
  }

  /**
   * @param {Step} step
   * @param {number} number
   * @returns {object | undefined} nothing where the step has no answer
   */
  #step(step, number) {
    switch (step.do) {
      case 'insert-result':
        return insertedAnswer(this.#session.insertResult(callOf(step, number), outcomeOf(step)));
      case 'recall':
        return insertedAnswer(this.#session.recall(callOf(step, number), step.id, step));
      case 'stored-text':
        return { value: this.#session.storedText(step.id) };
      case 'last-read':
        return lastReadAnswer(this.#session.lastRead(step.path));
      case 'resolve-path':
        return { value: this.#session.resolvePath(step.path) };
      case 'reopen':
        this.#open({ ...this.#case.settings, ...step.settings });
        return { value: null };
      case 'write-file':
        put(this.#tree, step.path, step.content);
        return undefined;
      case 'delete-file':
        this.#tree.remove(step.path);
        return undefined;
      case 'fail-storage':
        this.#storage.next = problemOf(step.error);
        return undefined;
      default:
        throw new Error(`${JSON.stringify(step)} is nothing that a step can do`);
    }
  }
}

/**
 * @param {InsertResult | Recall} step
 * @param {number} number
 */
function callOf(step, number) {
  const id = step.call ?? `call-${String(number)}`;
  if (step.do === 'recall') return { id, name: 'recall', arguments: '{}' };
  return { id, name: step.tool ?? 'tool', arguments: step.arguments ?? '{}' };
}

/**
 * @param {InsertResult} step
 * @returns {Outcome}
 */
function outcomeOf({ read, output, failure, changes }) {
  if (read !== undefined) return { read };
  if (output !== undefined) return { output: text(output) };
  if (failure !== undefined) return { failure: text(failure) };
  if (changes === undefined) throw new Error('a step inserts a result and gives no outcome');
  const files = changes.files.map(({ path, before, after }) => ({
    path,
    before: before === undefined ? undefined : content(before),
    after: after === undefined ? undefined : content(after),
  }));
  return { changes: { files, note: changes.note === undefined ? undefined : text(changes.note) } };
}

/**
 * @param {'denied' | 'full' | { other: string }} error
 * @returns {StorageProblem}
 */
function problemOf(error) {
  return typeof error === 'string' ? { code: error } : { code: 'other', message: error.other };
}

/**
 * An answer, or the error in its place.
 *
 * @param {() => object | undefined} work
 */
function answered(work) {
  try {
    return work();
  } catch (error) {
    if (error instanceof WaybreadError) return errorAnswer(error);
    throw error;
  }
}
