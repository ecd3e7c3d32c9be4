// What the steps of a compaction answered, for the transcript. The keys' order is part of the format.

/** @import { Compacted, CompactionEnd, CompactionStart, ContextState, FallbackUse } from 'waybread' */
/** @import { Generation, Health, MainRequest, NotApplied, Pressure, SummaryRequest } from 'waybread' */
/** @import { TokenEstimate } from 'waybread' */

/** @param {CompactionStart} start */
export function startAnswer({ request, notApplied }) {
  return request === undefined ? notAppliedAnswer(notApplied) : summaryRequestAnswer(request);
}

/** @param {CompactionEnd} end */
export function endAnswer({ applied, notApplied }) {
  return applied === undefined ? notAppliedAnswer(notApplied) : compactedAnswer(applied);
}

/** @param {SummaryRequest} request */
function summaryRequestAnswer(request) {
  return {
    'summary-request': {
      stage: request.stage,
      keep: request.keep,
      length: request.length,
      sha256: request.sha256,
      estimate: estimateValue(request.estimate),
      'max-tokens': request.maxTokens,
      covers: request.covers,
      retains: request.retains,
      'on-fallback': request.onFallback,
      fallback: fallbackValue(request.fallback),
      health: healthValue(request.health),
      body: request.body,
    },
  };
}

/** @param {Compacted} compacted */
function compactedAnswer(compacted) {
  return {
    compacted: {
      stage: compacted.stage,
      generation: compacted.generation,
      message: compacted.message,
      summary: compacted.summary,
      text: compacted.text,
      covered: compacted.covered,
      retained: compacted.retained,
      'tokens-before': compacted.tokensBefore,
      'tokens-after': compacted.tokensAfter,
      pressure: pressureValue(compacted.pressure),
      health: healthValue(compacted.health),
      fallback: fallbackValue(compacted.fallback),
      'state-cleared': compacted.stateCleared,
      warnings: compacted.warnings,
    },
  };
}

/** @param {NotApplied} notApplied */
function notAppliedAnswer(notApplied) {
  return {
    'not-applied': {
      stage: notApplied.stage,
      reason: notApplied.reason,
      message: notApplied.message,
      'rerun-on-main': notApplied.rerunOnMain,
      fallback: fallbackValue(notApplied.fallback),
      'state-cleared': notApplied.stateCleared,
    },
  };
}

/** @param {Pressure} pressure */
export function pressureValue(pressure) {
  return {
    estimate: estimateValue(pressure.estimate),
    window: pressure.window,
    'soft-limit': pressure.softLimit,
    'hard-limit': pressure.hardLimit,
    reserve: pressure.reserve,
    margin: pressure.margin,
    used: pressure.used,
    fits: pressure.fits,
    action: pressure.action,
    reason: pressure.reason ?? null,
    health: pressure.health === undefined ? null : healthValue(pressure.health),
  };
}

/** @param {TokenEstimate} estimate */
function estimateValue({ tokens, raw, strategy, confidence }) {
  return { tokens, raw, strategy, confidence };
}

/** @param {Health} health */
function healthValue({ severity, state, guidance }) {
  return { severity, state, guidance };
}

/** @param {FallbackUse | undefined} use */
function fallbackValue(use) {
  return use === undefined
    ? null
    : { status: use.status, model: use.model ?? null, reason: use.reason };
}

/** @param {MainRequest | undefined} request */
export function mainRequestValue(request) {
  if (request === undefined) return null;
  const { model, cacheKey = '', at } = request;
  return { model: { provider: model.provider, model: model.model }, 'cache-key': cacheKey, at };
}

/** @param {Generation} generation */
export function generationValue({ number, messages, stage, summary, fallback }) {
  return {
    number,
    messages,
    stage: stage ?? null,
    summary: summary ?? null,
    fallback: fallback ?? null,
  };
}

/** @param {ContextState} state */
export function contextStateValue({ recentCalls, turns }) {
  return { 'recent-calls': recentCalls, turns };
}
