/**
 * A caller's arguments to what the glue takes.
 *
 * Types are checked first, since a caller may be written in JavaScript: the glue throws half-way
 * through a call, or takes -1 for 4294967295. A key that nobody knows is refused, since it is a
 * known one misspelled. What the contract says of values is the component's to check. A lone
 * surrogate becomes U+FFFD where the glue encodes a string, with `TextEncoder`, and in what
 * `json` spells, and nowhere else.
 */
export { boolean, count, json, list, string } from './arguments/check.js';
export {
  compaction,
  idleTime,
  mainRequest,
  modelRef,
  summaryResult,
} from './arguments/compaction.js';
export { delegation } from './arguments/delegation.js';
export { snapshot } from './arguments/diagnosis.js';
export { hosts } from './arguments/hosts.js';
export { message } from './arguments/messages.js';
export { outcome, recallWindow, toolCall } from './arguments/results.js';
export { assembly, byModel, change, prompt, settings, tool } from './arguments/settings.js';
