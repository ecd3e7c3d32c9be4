// What a step answered, as a line of the transcript. The keys' order is part of the format.

import { pressureValue } from './transcript-compaction.mjs';

/** @import { Added, Difference, ErrorDetail, Inserted, LastRead, Request, RequestReport } from 'waybread' */
/** @import { StorageProblem, StoredMessage, Usage, WaybreadError } from 'waybread' */

/** @param {Inserted} inserted */
export function insertedAnswer(inserted) {
  return { inserted: insertedValue(inserted) };
}

/** @param {Inserted} inserted */
function insertedValue(inserted) {
  return {
    id: inserted.id,
    text: inserted.text,
    treatment: inserted.treatment,
    'refers-to': inserted.refersTo ?? null,
    'chars-in': inserted.charsIn,
    'chars-out': inserted.charsOut,
  };
}

/** @param {Added} added */
export function addedAnswer({ number, note, skills, calls, closed }) {
  const callValues = calls.map(({ call, refused }) => ({
    id: call.id,
    name: call.name,
    arguments: call.arguments,
    refused: refused === undefined ? null : insertedValue(refused),
  }));
  return {
    added: {
      number,
      note: note ?? null,
      skills: skills.map(({ name, active }) => ({ name, active })),
      calls: callValues,
      closed: closed.map(insertedValue),
    },
  };
}

/** @param {Request} request */
export function requestAnswer(request) {
  const { number, keep, length, sha256, shared, body } = request;
  const difference = differenceValue(request.difference);
  const closed = request.closed.map(insertedValue);
  const pressure = pressureValue(request.pressure);
  return { request: { number, keep, length, sha256, shared, difference, closed, pressure, body } };
}

/** @param {Difference | undefined} difference */
function differenceValue(difference) {
  if (difference === undefined) return null;
  const { part, message = null, cause } = difference;
  return { part, message, cause };
}

/** @param {Usage} usage */
export function usageValue({ input, cached, written, output }) {
  return {
    input,
    cached: cached ?? null,
    written: written ?? null,
    output: output ?? null,
  };
}

/** @param {RequestReport} report */
export function reportValue({ number, length, shared, difference, usage }) {
  const usageOrNull = usage === undefined ? null : usageValue(usage);
  return { number, length, shared, difference: differenceValue(difference), usage: usageOrNull };
}

/** @param {StoredMessage} message */
export function messageValue(message) {
  const { number, speaker, startsTurn, text, given, note = null, incomplete, results } = message;
  return { number, speaker, 'starts-turn': startsTurn, text, given, note, incomplete, results };
}

/** @param {LastRead | undefined} last */
export function lastReadValue(last) {
  if (last === undefined) return null;
  return {
    id: last.id,
    path: last.path,
    'first-line': last.firstLine,
    'last-line': last.lastLine,
    'total-lines': last.totalLines,
    sha256: last.sha256,
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
    case 'unknown-call':
      return { call: detail.call, open: detail.open };
    case 'unknown-message':
    case 'unknown-request':
    case 'unknown-generation':
      return detail.number;
    case 'out-of-order':
      return detail.problem;
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
