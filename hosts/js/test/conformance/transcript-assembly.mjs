// What the steps of docs/assembly.md answered, for the transcript. The keys' order is part of the format.

import { pressureValue } from './transcript-compaction.mjs';

/** @import { BigResult, ContextPart, ContextReport, DelegateState, Diagnosis, MessageHash } from 'waybread' */
/** @import { PromptBlock, SkillState, SkillTruncated, Snapshot } from 'waybread' */

/** @param {PromptBlock} block */
export function blockValue({ part, name, zone, bytes, givenBytes, truncated }) {
  return { part: part ?? null, name, zone, bytes, 'given-bytes': givenBytes, truncated };
}

/** @param {SkillTruncated | undefined} truncated */
export function truncatedValue(truncated) {
  if (truncated === undefined) return null;
  const { bytes, cap } = truncated;
  return { bytes, cap };
}

/** @param {SkillState} skill */
export function skillValue({ name, enabled, active }) {
  return { name, enabled, active };
}

/** @param {DelegateState} delegate */
export function delegateValue({ key, kind, state }) {
  return { key, kind, state };
}

/** @param {Snapshot} snapshot */
export function snapshotValue(snapshot) {
  return {
    request: snapshot.request,
    messages: snapshot.messages.map(hashValue),
    'prompt-bytes': snapshot.promptBytes,
    'blocks-bytes': snapshot.blocksBytes,
    'tools-bytes': snapshot.toolsBytes,
    'max-tokens': snapshot.maxTokens ?? null,
  };
}

/** @param {MessageHash} message */
function hashValue({ message, role, hash }) {
  return { message: message ?? null, role, hash };
}

/** @param {Diagnosis} diagnosis */
export function diagnosisValue({ predecessorKnown, shared, earlier, differsAt, prefix }) {
  return {
    'predecessor-known': predecessorKnown,
    shared,
    earlier,
    'differs-at': differsAt ?? null,
    prefix,
  };
}

/** @param {ContextReport} report */
export function contextReportValue({ bytes, pressure, parts, biggest }) {
  return {
    bytes,
    pressure: pressureValue(pressure),
    parts: parts.map(partValue),
    biggest: biggest.map(bigResultValue),
  };
}

/** @param {ContextPart} part */
function partValue({ kind, name, count, bytes, tokens }) {
  return { kind, name, count, bytes, tokens };
}

/** @param {BigResult} result */
function bigResultValue({ id, tool, bytes, tokens }) {
  return { id, tool, bytes, tokens };
}
