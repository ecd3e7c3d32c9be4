/** What an instance throws, as the errors of this library. */
import { TrappedError, WaybreadError, type ErrorDetail, type StorageProblem } from './errors.js';
import type { Cause, SessionError } from './generated/interfaces/waybread-context-context.js';
import type { StorageError } from './generated/interfaces/waybread-context-storage.js';

/**
 * The error value of a call, or a trap for anything else. `thrown` is what an import threw during
 * the call.
 */
export function failureOf(error: unknown, thrown: unknown): WaybreadError | TrappedError {
  if (error instanceof WaybreadError || error instanceof TrappedError) return error;
  const value = payloadOf(error) as SessionError | undefined;
  if (value === undefined) return new TrappedError(error);
  const options = thrown === undefined ? undefined : { cause: thrown };
  return new WaybreadError(detailOf(value.cause), value.message, options);
}

/** The error value of a call: the glue throws it as the `payload` of a class of its own. */
export function payloadOf(error: unknown): unknown {
  if (!(error instanceof Error) || error.constructor.name !== 'ComponentError') return undefined;
  return (error as Error & { payload?: unknown }).payload;
}

function detailOf(cause: Cause): ErrorDetail {
  switch (cause.tag) {
    case 'unknown-id':
      return { code: cause.tag, id: cause.val };
    case 'unknown-message':
    case 'unknown-request':
    case 'unknown-generation':
      return { code: cause.tag, number: cause.val };
    case 'out-of-order':
      return { code: cause.tag, problem: cause.val };
    case 'conflict':
      return { code: cause.tag, length: cause.val };
    case 'storage':
      return { code: cause.tag, operation: cause.val.operation, error: problemOf(cause.val.error) };
    case 'invalid-argument':
      return { code: cause.tag, ...cause.val };
    case 'invalid-setting':
      return { code: cause.tag, ...cause.val };
    case 'settings-differ':
      return { code: cause.tag, ...cause.val };
    case 'call-answered':
      return { code: cause.tag, ...cause.val };
    case 'unknown-call':
      return { code: cause.tag, ...cause.val };
    case 'newer-record':
    case 'damaged-record':
      return { code: cause.tag, ...cause.val };
    case 'filesystem':
      return { code: cause.tag, ...cause.val };
  }
}

function problemOf(error: StorageError): StorageProblem {
  switch (error.tag) {
    case 'conflict':
      return { code: error.tag, length: error.val };
    case 'other':
    case 'uncertain':
      return { code: error.tag, message: error.val };
    default:
      return { code: error.tag };
  }
}
