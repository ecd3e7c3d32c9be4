/** Arguments of compactions that are of the wrong kind, which a caller without types can give. */
import { describe, expect, it } from 'vitest';
import type { Session } from '../src/index.js';
import { call, detailOf, open } from './helpers/session.js';

type Work = (session: Session) => unknown;

const FALLBACK = { provider: 'p', model: 'm' };

function begin(compaction: object): Work {
  return (session) => session.compactBegin(compaction);
}

function finish(outcome: object, options: object = {}): Work {
  return (session) => session.compactFinish(outcome as never, options);
}

function answered(request: object): Work {
  return (session) => {
    session.mainRequestAnswered(request as never);
  };
}

function due(main: object, idle: object): Work {
  return (session) => session.fallbackDue(main as never, idle as never);
}

const compactions: [string, string, Work][] = [
  ['parameters', 'of type number', (s) => s.pressure(1 as never)],
  ['compaction', 'null', begin(null as never)],
  ['compaction.model', 'is unknown', begin({ model: 'm' })],
  [
    'compaction.stage',
    'is "late", not "normal", "emergency" or "shorten"',
    begin({ stage: 'late' }),
  ],
  ['compaction.parameters', 'of type boolean', begin({ parameters: true })],
  ['compaction.main', 'is "m", not an object', begin({ main: 'm' })],
  ['compaction.main.provider', 'missing', begin({ main: { model: 'm' } })],
  ['compaction.target', 'is "fallback", not "main" or an object', begin({ target: 'fallback' })],
  ['compaction.target', 'null', begin({ target: null })],
  ['compaction.target', '`fallback` and `unresolved`', begin({ target: { main: true } })],
  ['compaction.target.unresolved', 'of type object', begin({ target: { unresolved: {} } })],
  [
    'compaction.target.fallback.model',
    'missing',
    begin({ target: { fallback: { provider: 'p' } } }),
  ],
  [
    'compaction.target.fallback.window',
    'is -1',
    begin({ target: { fallback: { ...FALLBACK, window: -1 } } }),
  ],
  [
    'compaction.target.fallback.maxOutput',
    'is "9"',
    begin({ target: { fallback: { ...FALLBACK, maxOutput: '9' } } }),
  ],
  [
    'compaction.target.fallback.reason',
    'null',
    begin({ target: { fallback: { ...FALLBACK, reason: null } } }),
  ],
  [
    'compaction.target.fallback.parameters',
    'of type number',
    begin({ target: { fallback: { ...FALLBACK, parameters: 1 } } }),
  ],
  [
    'compaction.target.fallback.limit',
    'is unknown',
    begin({ target: { fallback: { ...FALLBACK, limit: 1 } } }),
  ],
  ['compaction.steering', 'of type object', begin({ steering: [] })],
  ['outcome', 'missing', finish(undefined as never)],
  ['outcome', '`reply`, `failed`', finish({ reply: {}, failed: '' })],
  ['reply', 'null', finish({ reply: null })],
  ['reply', 'not the response itself: give it as text', finish({ reply: { json: '{}' } })],
  ['reply', '`json` alone', finish({ reply: { json: { role: 'assistant', content: 'x' } } })],
  ['reply', 'is a Uint8Array, not', finish({ reply: new Uint8Array(2) })],
  ['failed', 'of type object', finish({ failed: new Error('x') })],
  ['cancelled', 'of type boolean, not `true`', finish({ cancelled: false })],
  ['options', 'of type boolean', finish({ cancelled: true }, true as never)],
  ['options.stateRetired', 'is "no"', finish({ cancelled: true }, { stateRetired: 'no' })],
  ['options.pendingSubagents', 'is "1"', finish({ reply: '' }, { pendingSubagents: '1' })],
  [
    'options.pendingSubagents[0].state',
    'missing',
    finish({ reply: '' }, { pendingSubagents: [{ id: 'a', kind: 'b' }] }),
  ],
  ['request.at', 'missing', answered({ model: FALLBACK })],
  ['request.at', 'is 1.5, not a whole number', answered({ model: FALLBACK, at: 1.5 })],
  ['request.at', '9007199254740991', answered({ model: FALLBACK, at: 2 ** 53 })],
  ['request.at', 'of type bigint', answered({ model: FALLBACK, at: 1n })],
  ['request.at', 'of type object', answered({ model: FALLBACK, at: new Date(0) })],
  ['request.model', 'missing', answered({ at: 1 })],
  ['request.provider', 'is unknown', answered({ model: FALLBACK, provider: 'p', at: 1 })],
  ['request.cacheKey', 'null', answered({ model: FALLBACK, cacheKey: null, at: 1 })],
  ['main', 'missing', due(undefined as never, { afterMs: 1, now: 1 })],
  ['idle', 'missing', due(FALLBACK, undefined as never)],
  ['idle.after', 'is unknown', due(FALLBACK, { after: 1, now: 1 })],
  ['idle.afterMs', 'is -1', due(FALLBACK, { afterMs: -1, now: 1 })],
  ['idle.afterMs', 'is Infinity', due(FALLBACK, { afterMs: Infinity, now: 1 })],
  ['idle.now', 'is NaN', due(FALLBACK, { afterMs: 1, now: NaN })],
  ['number', 'is -1', (s) => s.generation(-1)],
];

describe('an argument of the wrong kind is named', () => {
  it.each(compactions)('%s: %s', async (argument, problem, work) => {
    const session = await open();
    const detail = detailOf(() => work(session));
    expect(detail).toMatchObject({ code: 'invalid-argument', argument });
    expect(detail).toHaveProperty('problem', expect.stringContaining(problem));
    // It never came to the component.
    expect(session.insertResult(call(), { output: '' }).id).toBe('#0001');
  });
});
