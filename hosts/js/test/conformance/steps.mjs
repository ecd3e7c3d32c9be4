// What each step does on a session, and what it answers.
import {
  assemblyOf,
  callOf,
  changeOf,
  compactionOf,
  finishOptionsOf,
  messageOf,
  outcomeOf,
  promptOf,
  summaryOutcomeOf,
  toolOf,
} from './given.mjs';
import { text } from './texts.mjs';
import {
  blockValue,
  contextReportValue,
  delegateValue,
  skillValue,
  truncatedValue,
} from './transcript-assembly.mjs';
import {
  contextStateValue,
  endAnswer,
  generationValue,
  mainRequestValue,
  pressureValue,
  startAnswer,
} from './transcript-compaction.mjs';
import {
  addedAnswer,
  insertedAnswer,
  lastReadValue,
  messageValue,
  reportValue,
  requestAnswer,
  usageValue,
} from './transcript.mjs';

/** @import { Session } from 'waybread' */
/** @import { Doing, SessionStep, Text } from './case.d.ts' */

/** @typedef {{ [Name in SessionStep['do']]: (session: Session, step: Doing<Name>, number: number) => unknown }} Steps */

/** @type {Steps} What answers nothing returns nothing. */
const STEPS = {
  'insert-result': (session, step, number) =>
    insertedAnswer(session.insertResult(callOf(step, number), outcomeOf(step))),
  recall: (session, step, number) => {
    const { id, offset, limit, 'char-offset': charOffset, 'char-limit': charLimit } = step;
    const window = { offset, limit, charOffset, charLimit };
    return insertedAnswer(session.recall(callOf(step, number), id, window));
  },
  'add-message': (session, step) => addedAnswer(session.addMessage(messageOf(step))),
  'build-request': (session, { parameters = '{}' }) =>
    requestAnswer(session.buildRequest(parameters)),
  rewind: (session, { first, last }) => {
    session.rewind(first, last);
  },
  fork: (session, { key, after }) => {
    session.fork(key, after);
  },
  note: (session, step) => {
    session.note(changeOf(step), { byModel: step['by-model'] });
  },
  'set-prompt': (session, { prompt }) => {
    session.setPrompt(promptOf(prompt));
  },
  'set-assembly': (session, { assembly }) => {
    session.setAssembly(assemblyOf(assembly));
  },
  'prompt-report': (session) => value(session.promptReport().map(blockValue)),
  'enable-skill': (session, { name, text: given }) =>
    value(truncatedValue(session.enableSkill(name, textOrNone(given)))),
  'disable-skill': (session, { name }) => {
    session.disableSkill(name);
  },
  skills: (session) => value(session.skills().map(skillValue)),
  'delegate-progress': (session, { key, state }) => {
    session.delegateProgress(key, state);
  },
  delegates: (session) => value(session.delegates().map(delegateValue)),
  'context-report': (session, { parameters = '{}' }) =>
    value(contextReportValue(session.contextReport(parameters))),
  'set-condition': (session, { name, met }) => {
    session.setCondition(name, met);
  },
  'withdraw-tool': (session, { name, refusal }) => {
    session.withdrawTool(name, refusal);
  },
  'connect-server': (session, { name, tools, instructions }) => {
    session.connectServer(name, tools.map(toolOf), instructions ?? undefined);
  },
  'check-paths': (session, step) => {
    session.checkPaths(step.name, text(step.text));
  },
  'record-usage': (session, { number, usage }) =>
    value(usageValue(session.recordUsage(number, usage))),
  pressure: (session, { parameters = '{}' }) => value(pressureValue(session.pressure(parameters))),
  'compact-begin': (session, step) => startAnswer(session.compactBegin(compactionOf(step))),
  'compact-finish': (session, step) =>
    endAnswer(session.compactFinish(summaryOutcomeOf(step), finishOptionsOf(step))),
  'main-request-answered': (session, { provider, model, 'cache-key': cacheKey, at }) => {
    session.mainRequestAnswered({ model: { provider, model }, cacheKey, at });
  },
  'last-main-request': (session) => value(mainRequestValue(session.lastMainRequest())),
  'fallback-due': (session, { provider, model, now, ...step }) => {
    const idle = { cacheKey: step['cache-key'], afterMs: step['after-ms'], now };
    return value(session.fallbackDue({ provider, model }, idle));
  },
  lineage: (session) => value(session.lineage().map(generationValue)),
  generation: (session, { number }) => value(session.generation(number).map(messageValue)),
  history: (session) => value(session.history()),
  'context-state': (session) => value(contextStateValue(session.contextState())),
  'cache-report': (session) => value(session.cacheReport().map(reportValue)),
  conversation: (session) => value(session.conversation().map(messageValue)),
  prefix: (session) => {
    const { system, tools } = session.prefix();
    return value({ system, tools });
  },
  setting: (session, { key }) => value(session.setting(key)),
  'name-path': (session, { path }) => value(session.namePath(path)),
  'stored-text': (session, { id }) => value(session.storedText(id)),
  'last-read': (session, { path }) => value(lastReadValue(session.lastRead(path))),
  'resolve-path': (session, { path }) => value(session.resolvePath(path)),
};

/**
 * Performs a step on a session.
 *
 * @param {Session} session
 * @param {SessionStep} step
 * @param {number} number the step's position in its case, from 1
 * @returns {object} what its line holds
 */
export function perform(session, step, number) {
  if (!Object.hasOwn(STEPS, step.do)) {
    throw new Error(`${JSON.stringify(step)} is nothing that a step can do`);
  }
  const answer = STEPS[step.do](session, /** @type {never} */ (step), number);
  return typeof answer === 'object' && answer !== null ? answer : value(null);
}

/** @param {Text | null | undefined} given */
function textOrNone(given) {
  return given === undefined || given === null ? undefined : text(given);
}

/** @param {unknown} answer */
function value(answer) {
  return { value: answer };
}
