/** Snapshots that are compared: what a session gave, which may have been kept as JSON meanwhile. */
import type * as Context from '../generated/interfaces/waybread-context-context.js';
import type { MessageHash, Snapshot } from '../values.js';
import { count, list, object, optional, string } from './check.js';

const SNAPSHOT: readonly (keyof Snapshot)[] = [
  'request',
  'messages',
  'promptBytes',
  'blocksBytes',
  'toolsBytes',
  'maxTokens',
];

/** A snapshot. */
export function snapshot(given: Snapshot, argument: string): Context.Snapshot {
  object(given, argument, SNAPSHOT);
  const { request, messages, promptBytes, blocksBytes, toolsBytes, maxTokens } = given;
  return {
    request: count(request, `${argument}.request`),
    messages: list(messages, `${argument}.messages`, messageHash),
    promptBytes: count(promptBytes, `${argument}.promptBytes`),
    blocksBytes: count(blocksBytes, `${argument}.blocksBytes`),
    toolsBytes: count(toolsBytes, `${argument}.toolsBytes`),
    ...optional('maxTokens', maxTokens, (value) => count(value, `${argument}.maxTokens`)),
  };
}

function messageHash(given: MessageHash, argument: string): Context.MessageHash {
  object(given, argument, ['message', 'role', 'hash']);
  const { message, role, hash } = given;
  return {
    ...optional('message', message, (value) => count(value, `${argument}.message`)),
    role: string(role, `${argument}.role`),
    hash: string(hash, `${argument}.hash`),
  };
}
