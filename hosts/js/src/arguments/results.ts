/** Calls and what came of them. */
import { contentOf, hashedContentOf } from '../content.js';
import type * as Context from '../generated/interfaces/waybread-context-context.js';
import type {
  ChangeSet,
  Delegated,
  FileChange,
  LineWindow,
  Outcome,
  ReadRequest,
  RecallWindow,
  ToolCall,
} from '../values.js';
import { boolean, count, list, object, optional, refuseKind, string, variant } from './check.js';

/** A call, as the provider gave it. */
export function toolCall(given: ToolCall): Context.ToolCall {
  object(given, 'call', ['id', 'name', 'arguments']);
  return {
    id: string(given.id, 'call.id'),
    name: string(given.name, 'call.name'),
    arguments: string(given.arguments, 'call.arguments'),
  };
}

/** What of a stored result is asked for. */
export function recallWindow(given: RecallWindow): {
  offset?: number;
  limit?: number;
  charOffset?: number;
  charLimit?: number;
} {
  object(given, 'window', ['offset', 'limit', 'charOffset', 'charLimit']);
  return {
    ...lines(given, ''),
    ...optional('charOffset', given.charOffset, (value) => count(value, 'charOffset')),
    ...optional('charLimit', given.charLimit, (value) => count(value, 'charLimit')),
  };
}

/** `prefix` stands before the arguments' names. */
function lines(given: LineWindow, prefix: string): { offset?: number; limit?: number } {
  return {
    ...optional('offset', given.offset, (value) => count(value, `${prefix}offset`)),
    ...optional('limit', given.limit, (value) => count(value, `${prefix}limit`)),
  };
}

/** An outcome as the case that it is. */
export function outcome(given: Outcome): Context.Outcome {
  return variant<Context.Outcome>(given, 'outcome', {
    read: (read: ReadRequest) => ({ tag: 'read', val: readRequest(read) }),
    changes: (changes: ChangeSet) => ({ tag: 'changes', val: changeSet(changes) }),
    output: (output: string) => ({ tag: 'output', val: string(output, 'output') }),
    failure: (failure: string) => ({ tag: 'failure', val: string(failure, 'failure') }),
    delegated: (answer: Delegated) => ({ tag: 'delegated', val: delegated(answer) }),
  });
}

function delegated(given: Delegated): Context.Delegated {
  object(given, 'delegated', ['key', 'text']);
  return { key: string(given.key, 'delegated.key'), text: string(given.text, 'delegated.text') };
}

function readRequest(given: ReadRequest): Context.ReadRequest {
  object(given, 'read', ['path', 'offset', 'limit', 'force']);
  const { path, force = false } = given;
  return {
    path: string(path, 'read.path'),
    force: boolean(force, 'read.force'),
    ...lines(given, 'read.'),
  };
}

function changeSet(given: ChangeSet): Context.ChangeSet {
  object(given, 'changes', ['files', 'note']);
  return {
    files: list(given.files, 'changes.files', fileChange),
    ...optional('note', given.note, (note) => string(note, 'changes.note')),
  };
}

function fileChange(given: FileChange, argument: string): Context.FileChange {
  object(given, argument, ['path', 'before', 'after']);
  return {
    path: string(given.path, `${argument}.path`),
    ...optional('before', given.before, (side) => contentOf(content(side, `${argument}.before`))),
    ...optional('after', given.after, (side) =>
      hashedContentOf(content(side, `${argument}.after`)),
    ),
  };
}

function content(given: unknown, argument: string): string | Uint8Array {
  if (typeof given === 'string' || given instanceof Uint8Array) return given;
  return refuseKind(given, argument, 'a string or a Uint8Array');
}
