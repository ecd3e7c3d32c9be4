/** Compactions, their replies, and the model that is asked for them. */
import type * as Context from '../generated/interfaces/waybread-context-context.js';
import type {
  Compaction,
  FallbackModel,
  FinishOptions,
  IdleTime,
  Json,
  MainRequest,
  ModelRef,
  PendingSubagent,
  Stage,
  SummaryOutcome,
  SummaryTarget,
} from '../values.js';
import {
  boolean,
  count,
  json,
  list,
  longCount,
  object,
  oneOf,
  optional,
  refuse,
  refuseKind,
  string,
  variant,
} from './check.js';

const STAGES: readonly Stage[] = ['normal', 'emergency', 'shorten'];

/** A compaction with its defaults. */
export function compaction(given: Compaction): Context.Compaction {
  object(given, 'compaction', ['stage', 'main', 'parameters', 'target', 'steering']);
  const { stage = 'normal', main, parameters = '', target = 'main', steering } = given;
  return {
    stage: oneOf(stage, 'compaction.stage', STAGES),
    ...optional('main', main, (model) => modelRef(model, 'compaction.main')),
    parameters: json(parameters, 'compaction.parameters'),
    target: summaryTarget(target),
    ...optional('steering', steering, (text) => string(text, 'compaction.steering')),
  };
}

/** A model at a provider. */
export function modelRef(given: ModelRef, argument: string): Context.ModelRef {
  object(given, argument, ['provider', 'model']);
  return {
    provider: string(given.provider, `${argument}.provider`),
    model: string(given.model, `${argument}.model`),
  };
}

function summaryTarget(given: SummaryTarget): Context.SummaryTarget {
  const argument = 'compaction.target';
  if (given === 'main') return { tag: 'main' };
  if (typeof given === 'string') return refuseKind(given, argument, '"main" or an object');
  const cases = {
    fallback: (model: FallbackModel, place: string) => ({
      tag: 'fallback' as const,
      val: fallbackModel(model, place),
    }),
    unresolved: (error: string, place: string) => ({
      tag: 'unresolved' as const,
      val: string(error, place),
    }),
  };
  return variant<Context.SummaryTarget>(given, argument, cases, `${argument}.`);
}

function fallbackModel(given: FallbackModel, argument: string): Context.FallbackModel {
  const keys = ['provider', 'model', 'parameters', 'window', 'maxOutput', 'reason'] as const;
  object(given, argument, keys);
  const { provider, model, parameters = '', window = 0, maxOutput = 0, reason = '' } = given;
  return {
    model: modelRef({ provider, model }, argument),
    parameters: json(parameters, `${argument}.parameters`),
    window: count(window, `${argument}.window`),
    maxOutput: count(maxOutput, `${argument}.maxOutput`),
    reason: string(reason, `${argument}.reason`),
  };
}

/** What came of the request for a summary, and what is to be known beside it. */
export function summaryResult(given: SummaryOutcome, more: FinishOptions): Context.SummaryResult {
  object(more, 'options', ['stateRetired', 'pendingSubagents']);
  const { stateRetired = false, pendingSubagents = [] } = more;
  return {
    outcome: variant<Context.SummaryOutcome>(given, 'outcome', {
      reply: (reply: Json) => ({ tag: 'reply', val: summaryReply(reply) }),
      failed: (error: string) => ({ tag: 'failed', val: string(error, 'failed') }),
      cancelled: (value: true) => cancelled(value),
    }),
    stateRetired: boolean(stateRetired, 'options.stateRetired'),
    pendingSubagents: list(pendingSubagents, 'options.pendingSubagents', pendingSubagent),
  };
}

/** The response itself. `{ json }` is what a message takes, and no provider's response. */
function summaryReply(given: Json): string {
  const text = json(given, 'reply');
  if (typeof given === 'string' || Object.keys(given).join() !== 'json') return text;
  return refuse(
    'reply',
    'is an object with `json` alone, not the response itself: give it as text or as a value, ' +
      '`{ reply: response }`',
  );
}

function cancelled(given: unknown): Context.SummaryOutcomeCancelled {
  return given === true ? { tag: 'cancelled' } : refuseKind(given, 'cancelled', '`true`');
}

function pendingSubagent(given: PendingSubagent, argument: string): Context.PendingSubagent {
  object(given, argument, ['id', 'kind', 'state']);
  return {
    id: string(given.id, `${argument}.id`),
    kind: string(given.kind, `${argument}.kind`),
    state: string(given.state, `${argument}.state`),
  };
}

/** A request to the main model that was answered. */
export function mainRequest(given: MainRequest): Context.MainRequest {
  object(given, 'request', ['model', 'cacheKey', 'at']);
  const { model, cacheKey = '', at } = given;
  return {
    model: modelRef(model, 'request.model'),
    cacheKey: string(cacheKey, 'request.cacheKey'),
    at: longCount(at, 'request.at'),
  };
}

/** What tells a cold cache from a warm one. */
export function idleTime(given: IdleTime) {
  object(given, 'idle', ['cacheKey', 'afterMs', 'now']);
  const { cacheKey = '', afterMs, now } = given;
  return {
    cacheKey: string(cacheKey, 'idle.cacheKey'),
    afterMs: longCount(afterMs, 'idle.afterMs'),
    now: longCount(now, 'idle.now'),
  };
}
