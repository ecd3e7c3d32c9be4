// Performs a case file on storage and files in memory, in Node and in a browser.
import { load, MemoryStorage, MemoryTree, StorageError, WaybreadError } from 'waybread';
import { delegationOf, settingsOf } from './given.mjs';
import { readCaseFile } from './read.mjs';
import { perform } from './steps.mjs';
import { put } from './texts.mjs';
import { diagnosisValue, snapshotValue } from './transcript-assembly.mjs';
import { errorAnswer } from './transcript.mjs';

/** @import { Session, Snapshot, StorageProblem, StoredText, Waybread } from 'waybread' */
/** @import { Case, CaseSettings, Doing, Step } from './case.d.ts' */

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

/** Memory, and the error of an append that is to come. */
class FailingStorage extends MemoryStorage {
  /** @type {{ problem: StorageProblem, after: number } | undefined} so many appends pass first */
  failing;

  /**
   * @param {string} session
   * @param {number} expectedLength
   * @param {readonly string[]} records
   * @param {readonly StoredText[]} texts
   * @override
   */
  append(session, expectedLength, records, texts) {
    const { failing } = this;
    if (failing?.after === 0) {
      this.failing = undefined;
      throw new StorageError(failing.problem);
    }
    super.append(session, expectedLength, records, texts);
    if (failing !== undefined) failing.after -= 1;
  }
}

/** Files in memory, and which of them were read. */
class WatchedTree extends MemoryTree {
  /** @type {string[]} the paths, in their order */
  reads = [];

  /**
   * @param {string} path
   * @override
   */
  read(path) {
    this.reads.push(path);
    return super.read(path);
  }
}

/** One case. */
class Running {
  #storage = new FailingStorage();
  #tree = new WatchedTree();
  #waybread;
  #case;
  /** Of the session that the case is at. */
  #key = 'conformance';
  /** @type {Session | undefined} */
  #opened;
  /** @type {Map<number, Snapshot>} by the steps that made them */
  #snapshots = new Map();

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
      this.#open(settings, this.#key);
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

  /**
   * A session that can't be opened leaves the one that was open.
   *
   * @param {CaseSettings} given
   * @param {string} key
   */
  #open(given, key) {
    const hosts = { storage: this.#storage, filesystem: this.#tree };
    this.#tree.reads = [];
    this.#opened = this.#waybread.open(key, settingsOf(given), hosts);
    this.#key = key;
  }

  /**
   * @param {Step} step
   * @param {number} number
   * @returns {object | undefined} nothing where the step has no answer
   */
  #step(step, number) {
    switch (step.do) {
      case 'reopen':
        this.#open({ ...this.#case.settings, ...step.settings }, step.key ?? this.#key);
        return { value: null };
      case 'write-file':
        put(this.#tree, step.path, step.content);
        return undefined;
      case 'delete-file':
        this.#tree.remove(step.path);
        return undefined;
      case 'fail-storage':
        this.#storage.failing = { problem: problemOf(step.error), after: step.after ?? 0 };
        return undefined;
      case 'file-reads':
        return { value: this.#tree.reads.splice(0) };
      case 'delegate':
        this.#opened = this.#session.delegate(delegationOf(step));
        this.#key = step.key;
        return { value: null };
      case 'diagnose':
        return { value: this.#diagnosis(step) };
      case 'snapshot':
        return { value: this.#snapshot(number) };
      default:
        return perform(this.#session, step, number);
    }
  }

  /** @param {number} number the step's */
  #snapshot(number) {
    const snapshot = this.#session.snapshot();
    this.#snapshots.set(number, snapshot);
    return snapshotValue(snapshot);
  }

  /** @param {Doing<'diagnose'>} step */
  #diagnosis({ earlier, later }) {
    const before = earlier === null ? undefined : this.#kept(earlier);
    return diagnosisValue(this.#waybread.diagnose(before, this.#kept(later)));
  }

  /** @param {number} step */
  #kept(step) {
    const snapshot = this.#snapshots.get(step);
    if (snapshot === undefined) throw new Error(`step ${String(step)} answered no snapshot`);
    return snapshot;
  }
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
