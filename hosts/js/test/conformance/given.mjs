// What a case gives a session, as the session takes it.
import { content, text } from './texts.mjs';

/** @import { Assembly, Change, Compaction, Delegation, FinishOptions, Message, Outcome } from 'waybread' */
/** @import { Part, Prompt, Settings, SummaryOutcome, SummaryTarget, Tool } from 'waybread' */
/** @import { AddMessage, CaseAssembly, CaseChange, CasePart, CasePrompt, CaseSettings, CaseTool } from './case.d.ts' */
/** @import { CompactBegin, CompactFinish, Delegate, InsertResult, Recall } from './case.d.ts' */

/**
 * @param {CaseSettings} given
 * @returns {Settings}
 */
export function settingsOf(given) {
  const { root = '/work/app', overrides = '{}', recall = false, prompt, tools = [] } = given;
  return {
    kind: given.kind,
    dialect: given.dialect ?? undefined,
    root,
    home: given.home ?? undefined,
    overrides,
    start: given.start ?? undefined,
    prompt: prompt && promptOf(prompt),
    assembly: given.assembly && assemblyOf(given.assembly),
    tools: tools.map(toolOf),
    recall,
    vision: given.vision,
    onlyTools: given['only-tools'] ?? undefined,
    withoutTools: given['without-tools'],
    conditions: given.conditions,
  };
}

/**
 * @param {CasePrompt} given
 * @returns {Prompt}
 */
export function promptOf({ sources = [], told = [] }) {
  return {
    sources: sources.map((source) => ({ ...source, text: text(source.text) })),
    told: told.map(changeOf),
  };
}

/**
 * @param {CaseAssembly} given
 * @returns {Assembly}
 */
export function assemblyOf(given) {
  const { 'context-files': contextFiles, 'skill-roots': skillRoots, ...others } = given;
  return { ...others, contextFiles, skillRoots };
}

/**
 * @param {Delegate} step
 * @returns {Delegation}
 */
export function delegationOf({ key, kind, prompt, assembly, 'only-tools': onlyTools }) {
  return {
    key,
    kind,
    prompt: prompt && promptOf(prompt),
    assembly: assembly && assemblyOf(assembly),
    onlyTools: onlyTools ?? undefined,
  };
}

/**
 * @param {CaseChange} given
 * @returns {Change}
 */
export function changeOf({ kind, name, text: value }) {
  return { kind, name, text: value && text(value) };
}

/**
 * @param {CaseTool} given
 * @returns {Tool}
 */
export function toolOf({ definition, unavailable, ...tool }) {
  return {
    ...tool,
    definition: definition ?? undefined,
    unavailable: unavailable ?? undefined,
  };
}

/**
 * @param {InsertResult | Recall} step
 * @param {number} number
 */
export function callOf(step, number) {
  const id = step.call ?? `call-${String(number)}`;
  if (step.do === 'recall') return { id, name: 'recall', arguments: '{}' };
  return { id, name: step.tool ?? 'tool', arguments: step.arguments ?? '{}' };
}

/**
 * @param {InsertResult} step
 * @returns {Outcome}
 */
export function outcomeOf({ read, output, failure, delegated, changes }) {
  if (read !== undefined) return { read };
  if (output !== undefined) return { output: text(output) };
  if (failure !== undefined) return { failure: text(failure) };
  if (delegated !== undefined) {
    return { delegated: { key: delegated.key, text: text(delegated.text) } };
  }
  if (changes === undefined) throw new Error('a step inserts a result and gives no outcome');
  const files = changes.files.map(({ path, before, after }) => ({
    path,
    before: before === undefined ? undefined : content(before),
    after: after === undefined ? undefined : content(after),
  }));
  return { changes: { files, note: changes.note && text(changes.note) } };
}

/**
 * @param {AddMessage} step
 * @returns {Message}
 */
export function messageOf({ user, reply, 'wrap-up': wrapUp }) {
  if (reply !== undefined) return { reply };
  if (wrapUp !== undefined) return { wrapUp };
  if (user === undefined) throw new Error('a step adds a message and gives none');
  return {
    user: {
      ...user,
      text: user.text && text(user.text),
      parts: user.parts?.map(partOf),
      date: user.date ?? undefined,
    },
  };
}

/**
 * @param {CasePart} given
 * @returns {Part}
 */
function partOf(given) {
  if ('text' in given) return { text: text(given.text) };
  if ('image-url' in given) return { imageUrl: given['image-url'] };
  if ('block' in given) return given;
  const { 'media-type': mediaType, base64 } = given.image;
  return { image: { mediaType, base64 } };
}

/**
 * @param {CompactBegin} step
 * @returns {Compaction}
 */
export function compactionOf({ stage, main, parameters = '{}', target, steering }) {
  return {
    stage,
    main: main ?? undefined,
    parameters,
    target: target && targetOf(target),
    steering: steering ?? undefined,
  };
}

/**
 * @param {NonNullable<CompactBegin['target']>} given
 * @returns {SummaryTarget}
 */
function targetOf(given) {
  if (typeof given === 'string' || 'unresolved' in given) return given;
  const { 'max-output': maxOutput, parameters = '{}', ...model } = given.fallback;
  return { fallback: { ...model, parameters, maxOutput } };
}

/**
 * @param {CompactFinish} step
 * @returns {SummaryOutcome}
 */
export function summaryOutcomeOf({ reply, failed, cancelled }) {
  if (reply !== undefined) return { reply };
  if (failed !== undefined) return { failed };
  if (cancelled === undefined) throw new Error('a step finishes a compaction and gives no outcome');
  return { cancelled };
}

/**
 * @param {CompactFinish} step
 * @returns {FinishOptions}
 */
export function finishOptionsOf(step) {
  return { stateRetired: step['state-retired'], pendingSubagents: step['pending-subagents'] };
}
