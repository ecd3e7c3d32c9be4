// What a step answered, as a line of the transcript. The keys' order is part of the format.

/** @import { ErrorDetail, Inserted, LastRead, StorageProblem, WaybreadError } from 'waybread' */

/** @param {Inserted} inserted */
export function insertedAnswer(inserted) {
  return {
    inserted: {
      id: inserted.id,
      text: inserted.text,
      treatment: inserted.treatment,
      'refers-to': inserted.refersTo ?? null,
      'chars-in': inserted.charsIn,
      'chars-out': inserted.charsOut,
    },
  };
}

/** @param {LastRead | undefined} last */
export function lastReadAnswer(last) {
  if (last === undefined) return { value: null };
  return {
    value: {
      id: last.id,
      path: last.path,
      'first-line': last.firstLine,
      'last-line': last.lastLine,
      'total-lines': last.totalLines,
      sha256: last.sha256,
    },
  };
}

/** @param {WaybreadError} error */
export function errorAnswer({ code, message, detail }) {
  return { error: { cause: code, message, payload: payload(detail) } };
}

/** @param {ErrorDetail} detail */
function payload(detail) {
  switch (detail.code) {
    case 'invalid-argument':
      return { argument: detail.argument, problem: detail.problem };
    case 'invalid-setting':
      return { key: detail.key, problem: detail.problem };
    case 'settings-differ':
      return { name: detail.name, kept: detail.kept, given: detail.given };
    case 'call-answered':
      return { call: detail.call, id: detail.id };
    case 'unknown-id':
      return detail.id;
    case 'newer-record':
    case 'damaged-record':
      return { position: detail.position, problem: detail.problem };
    case 'conflict':
      return detail.length;
    case 'storage':
      return { operation: detail.operation, error: storageError(detail.error) };
    case 'filesystem':
      return { path: detail.path, problem: detail.problem };
    case 'reentry':
      throw new Error('no storage of a case calls its session');
  }
}

/** @param {StorageProblem} problem */
function storageError(problem) {
  switch (problem.code) {
    case 'conflict':
      return { tag: problem.code, value: problem.length };
    case 'other':
      return { tag: problem.code, value: problem.message };
    default:
      return { tag: problem.code };
  }
}
