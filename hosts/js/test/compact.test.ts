/** The order of a whole compaction's calls, on a session that answers by a script. */
import { describe, expect, it } from 'vitest';
import { compact, type CompactOptions, type Send } from '../src/compact.js';
import { WaybreadError } from '../src/index.js';
import {
  applied,
  notApplied,
  pressure,
  request,
  Scripted,
  type Script,
} from './helpers/scripted-session.js';

const answering: Send = ({ body }) => Promise.resolve(`reply to ${body}`);

function failing(error: unknown): Send {
  return async () => {
    await Promise.resolve();
    throw error;
  };
}

function abort(): DOMException {
  return new DOMException('stopped', 'AbortError');
}

async function run(script: Script, send: Send = answering, options: CompactOptions = {}) {
  const session = new Scripted(script);
  const result = await compact(session, send, options);
  return { result, calls: session.calls };
}

/** The calls without their arguments, but for a begun compaction's stage and target. */
function short(calls: unknown[]): string[] {
  return calls.map((call) => {
    const [name, given] = call as [string, { stage?: string; target?: unknown } | undefined];
    if (name === 'begin') return `${String(given?.stage)} on ${JSON.stringify(given?.target)}`;
    return name === 'finish' ? JSON.stringify(given) : name;
  });
}

describe('the stages', () => {
  it('begin with normal, and end where it was enough', async () => {
    const end = applied('It was.');
    const options = { parameters: { model: 'm' }, steering: 'names' };
    const script = { starts: [request('one')], ends: [end] };
    const { result, calls } = await run(script, answering, options);
    expect(result).toEqual({
      applied: [end.applied],
      notApplied: undefined,
      pressure: pressure('none'),
      attempts: [end],
    });
    expect(calls).toEqual([
      ['pressure', { model: 'm' }],
      ['begin', { stage: 'normal', ...options }],
      ['finish', { reply: 'reply to one' }, { stateRetired: false, pendingSubagents: [] }],
      ['pressure', { model: 'm' }],
    ]);
  });

  it('go on with emergency where normal was not enough', async () => {
    const ends = [applied('Long.'), applied('Short.')];
    const { result, calls } = await run({
      actions: ['compact', 'emergency'],
      starts: [request('one'), request('two')],
      ends: [...ends],
    });
    expect(result.applied.map(({ summary }) => summary)).toEqual(['Long.', 'Short.']);
    expect(result.notApplied).toBeUndefined();
    expect(short(calls)).toEqual([
      'pressure',
      'normal on undefined',
      '{"reply":"reply to one"}',
      'pressure',
      'emergency on undefined',
      '{"reply":"reply to two"}',
      'pressure',
    ]);
  });

  it('go on with emergency where normal did not come about', async () => {
    const start = notApplied('retained-does-not-fit');
    const end = notApplied('empty');
    const { result, calls } = await run({
      actions: ['compact', 'emergency', 'stop'],
      starts: [start, request('two')],
      ends: [end],
    });
    expect(result).toEqual({
      applied: [],
      notApplied: end.notApplied,
      pressure: pressure('stop'),
      attempts: [start, end],
    });
    expect(short(calls)[2]).toBe('pressure');
  });

  it('leave it at normal where nothing asks for more', async () => {
    const start = notApplied('nothing-to-summarise');
    const { result, calls } = await run({ starts: [start] });
    expect(result).toMatchObject({ applied: [], ...start, attempts: [start] });
    expect(short(calls)).toEqual(['pressure', 'normal on undefined', 'pressure']);
  });

  it('begin with emergency where the pressure says so, and end there', async () => {
    const script: Script = {
      actions: ['emergency'],
      starts: [request('one')],
      ends: [notApplied('cut-off')],
    };
    const { result, calls } = await run(script);
    expect(result.notApplied?.reason).toBe('cut-off');
    expect(short(calls)).toEqual([
      'pressure',
      'emergency on undefined',
      '{"reply":"reply to one"}',
      'pressure',
    ]);
  });

  it('begin with the one that is asked for', async () => {
    const begun = async (stage: 'normal' | 'emergency') => {
      const script = { starts: [request('one')], ends: [applied('It was.')] };
      return short((await run(script, answering, { stage })).calls)[1];
    };
    expect(await begun('normal')).toBe('normal on undefined');
    expect(await begun('emergency')).toBe('emergency on undefined');
  });
});

describe('a fallback', () => {
  const target = { fallback: { provider: 'p', model: 'm' } };
  const on = JSON.stringify(target);

  it('that failed is followed by the main model, in each stage', async () => {
    const { result, calls } = await run(
      {
        actions: ['compact', 'emergency'],
        starts: [request('one', true), request('two'), notApplied('empty', true), request('four')],
        ends: [notApplied('refused', true), notApplied('too-long'), applied('Short.')],
      },
      answering,
      { target },
    );
    expect(result.attempts).toHaveLength(4);
    expect(result.applied).toHaveLength(1);
    expect(short(calls).filter((call) => call.includes(' on '))).toEqual([
      `normal on ${on}`,
      'normal on "main"',
      `emergency on ${on}`,
      'emergency on "main"',
    ]);
  });

  it('that is cancelled is not', async () => {
    const session = new Scripted({
      starts: [request('one', true)],
      ends: [notApplied('cancelled')],
    });
    const error = abort();
    await expect(compact(session, failing(error), { target })).rejects.toBe(error);
    expect(short(session.calls)).toEqual(['pressure', `normal on ${on}`, '{"cancelled":true}']);
  });
});

describe('what is thrown', () => {
  it.each([
    ['an error', new Error('the line is dead'), 'the line is dead'],
    ['no error', 'no words', 'no words'],
  ])('is a failure where it is %s', async (_, error, failed) => {
    const end = notApplied('failed');
    const script = { starts: [request('one')], ends: [end] };
    const { result, calls } = await run(script, failing(error), { stateRetired: () => true });
    expect(calls[2]).toEqual(['finish', { failed }, { stateRetired: true }]);
    expect(result.attempts).toEqual([{ ...end, error }]);
    expect(result.notApplied).toBe(end.notApplied);
  });

  it('is a cancellation where it is a time that ran out', async () => {
    const session = new Scripted({ starts: [request('one')], ends: [notApplied('cancelled')] });
    const error = new DOMException('too slow', 'TimeoutError');
    await expect(compact(session, failing(error), {})).rejects.toBe(error);
    expect(session.calls.at(-1)).toEqual(['finish', { cancelled: true }, { stateRetired: false }]);
  });

  it('is a cancellation where the signal is aborted, whatever its name', async () => {
    const controller = new AbortController();
    const session = new Scripted({ starts: [request('one')], ends: [notApplied('cancelled')] });
    const error = new Error('the user stopped it');
    const send = () => {
      controller.abort(error);
      return Promise.reject(error);
    };
    const { signal } = controller;
    await expect(compact(session, send, { signal })).rejects.toBe(error);
    expect(session.calls.at(-1)).toEqual(['finish', { cancelled: true }, { stateRetired: false }]);
  });

  it('is a cancellation where the signal was aborted before anything is sent', async () => {
    const session = new Scripted({ starts: [request('one')], ends: [notApplied('cancelled')] });
    const signal = AbortSignal.abort();
    const send = failing(new Error('nothing is to be sent'));
    await expect(compact(session, send, { signal })).rejects.toThrow(
      expect.objectContaining({ name: 'AbortError' }),
    );
  });

  it('is the cancellation also where the session has nothing to cancel any more', async () => {
    const refused = new WaybreadError({ code: 'out-of-order', problem: 'x' }, 'x');
    const session = new Scripted({ starts: [request('one')], ends: [refused] });
    const error = abort();
    await expect(compact(session, failing(error), {})).rejects.toBe(error);
  });

  it('by the session is thrown on', async () => {
    const refused = new WaybreadError({ code: 'conflict', length: 1 }, 'x');
    const session = new Scripted({ starts: [request('one')], ends: [refused] });
    await expect(compact(session, answering, {})).rejects.toBe(refused);
  });
});

it('what is known when the reply is there goes with it', async () => {
  let running = 2;
  const pendingSubagents = () => [{ id: 'a', kind: 'explore', state: `${String(running)} run` }];
  const send = () => {
    running = 1;
    return Promise.resolve({ content: 'the reply' });
  };
  const script = { starts: [request('one')], ends: [applied('It was.')] };
  const options = { pendingSubagents, stateRetired: () => running === 1 };
  const { calls } = await run(script, send, options);
  expect(calls[2]).toEqual([
    'finish',
    { reply: { content: 'the reply' } },
    { stateRetired: true, pendingSubagents: [{ id: 'a', kind: 'explore', state: '1 run' }] },
  ]);
});

it.each([
  ['send', undefined, {}],
  ['options', answering, null],
  ['options.model', answering, { model: 'm' }],
  ['options.stateRetired', answering, { stateRetired: true }],
  ['options.pendingSubagents', answering, { pendingSubagents: [] }],
  ['options.signal', answering, { signal: { aborted: false } }],
])('an argument of the wrong kind is named: %s', async (argument, send, options) => {
  const session = new Scripted({});
  const working = compact(session, send as never, options as never);
  await expect(working).rejects.toMatchObject({ detail: { code: 'invalid-argument', argument } });
  expect(session.calls).toEqual([]);
});
