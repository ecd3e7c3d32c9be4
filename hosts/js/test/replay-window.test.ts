/** A replay in a window: what is compacted before a request, and what is not sent. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { load } from '../src/index.js';
import { replay, type ReplayOptions } from '../src/replay.js';
import { perform } from '../src/replay/context.js';
import type { Step } from '../src/replay/plan.js';
import { makeRoom, type InWindow } from '../src/replay/window.js';
import { summaryOf } from './helpers/conversation.js';
import { temporaryFolder } from './helpers/folder.js';
import {
  applied,
  notApplied,
  pressure,
  request,
  Scripted,
  type Script,
} from './helpers/scripted-session.js';

const COMMAND = fileURLToPath(new URL('../dist/bin/waybread-replay.js', import.meta.url));
const STAND_IN = JSON.stringify(summaryOf('openai-chat', 'What was said.'));

/** A recording of a call and twenty turns, some 10,000 tokens. */
const LONG = JSON.stringify([
  { role: 'user', content: 'Go.' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'bash', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'a', content: 'gone' },
  { role: 'assistant', content: 'Done.' },
  ...Array.from({ length: 40 }, (_, n) => ({
    role: n % 2 === 0 ? 'user' : 'assistant',
    content: `${String(n)} ${'word '.repeat(250)}`,
  })),
]);

function replayed(options: ReplayOptions) {
  return replay([{ name: 'long.json', content: LONG }], options);
}

describe('a replay in a window', () => {
  it('compacts a session that is too long for it', async () => {
    const { report, json } = await replayed({ window: 4000, summaryTokens: 100 });
    expect(report.sessions[0]?.window).toEqual(report.window);
    expect(report.window?.parameters).toMatchObject({ window: 4000, summary_tokens: 100 });
    expect(report.window).toMatchObject({ requests: 22, stopped: [], over: 0 });
    const { normal = 0, kept_cost = 0, pasted_cost = 0 } = report.window ?? {};
    expect(normal).toBeGreaterThan(1);
    expect(kept_cost).toBeLessThan(pasted_cost);
    expect(report.total.errors).toBe(0);
    expect(JSON.parse(json)).toEqual(report);
  });

  it('compacts nothing where there is room, and has no window where there is none', async () => {
    const wide = await replayed({ window: 200_000, preset: 'steiner' });
    expect(wide.report.window).toMatchObject({ requests: 22, normal: 0, emergency: 0 });
    expect(wide.report.window?.parameters).toMatchObject({ preset: 'steiner' });
    const { report } = await replayed({});
    expect(report).not.toHaveProperty('window');
    expect(report.sessions[0]).not.toHaveProperty('window');
    expect(report.policies).toEqual(wide.report.policies);
  });

  it.each([
    ['options.window', { window: 3999 }],
    ['options.window', { window: 4000.5 }],
    ['options.window', { window: '4000' as never }],
    ['options.preset', { window: 4000, preset: 'other' as never }],
    ['options.preset', { preset: 'steiner' as const }],
    ['options.summaryTokens', { window: 4000, summaryTokens: 3073 }],
    ['options.summaryTokens', { summaryTokens: 9 }],
  ])('refuses an option out of its range: %s', async (argument, options) => {
    await expect(replayed(options)).rejects.toMatchObject({
      detail: { code: 'invalid-argument', argument },
    });
  });
});

/** The requests of a context with a stand-in, whose window has so many tokens. */
async function requestsOf(window: number, standIn: string, texts: readonly string[]) {
  const steps = texts.flatMap((text, n): Step[] => {
    if (n % 2 === 0) return [{ do: 'add-message', user: { text } }];
    const json = JSON.stringify({ role: 'assistant', content: text });
    return [{ do: 'build-request' }, { do: 'add-message', reply: { json } }];
  });
  const overrides = { budget: { window, max_output: 500 } };
  const settings = { root: '/app', home: null, dialect: 'openai-chat' as const, overrides };
  return perform(await load(), { name: 'main', settings, steps, stand_in: standIn }).requests;
}

describe('a context with a stand-in', () => {
  it('tells of each request how full the window is with it', async () => {
    const [only] = await requestsOf(4000, STAND_IN, ['hello', 'hello']);
    expect(only).toEqual({
      keep: 0,
      tail: expect.stringContaining('hello') as string,
      pressure: {
        window: 4000,
        tokens: expect.any(Number) as number,
        reserve: 500,
        margin: 256,
        reason: undefined,
      },
    });
  });

  it('is compacted before a request that is too much for the window', async () => {
    const long = 'word '.repeat(2200);
    const requests = await requestsOf(6000, STAND_IN, [long, long, 'on', 'yes']);
    expect(requests).toMatchObject([
      { keep: 0, pressure: { window: 6000 } },
      { compaction: { stage: 'normal', request: { tokens: expect.any(Number) as number } } },
      { pressure: { reason: undefined } },
    ]);
    expect(requests[1]).toHaveProperty('compaction.not_applied', null);
    expect(requests[2]).toHaveProperty('tail', expect.stringContaining('What was said.'));
  });

  it('goes on where a request is too much for any window', async () => {
    const requests = await requestsOf(4000, STAND_IN, ['word '.repeat(9000), 'yes', 'on', 'yes']);
    expect(requests[0]).toEqual({ stopped: expect.stringContaining('context window') as string });
    // What can't be sent can still be in the way of what comes after it.
    expect(requests.length).toBeGreaterThan(1);
  });

  it('takes what a session refuses for an error, and goes on', async () => {
    const long = 'word '.repeat(2200);
    const requests = await requestsOf(6000, 'no JSON', [long, long, 'on', 'yes']);
    expect(requests[1]).toMatchObject({
      compaction: { stage: 'normal', not_applied: 'unreadable' },
    });
    expect(requests[2]).toMatchObject({
      compaction: { stage: 'emergency', not_applied: 'unreadable' },
    });
  });
});

describe('room for a request', () => {
  function made(script: Script) {
    const told: InWindow[] = [];
    const session = new Scripted(script);
    const room = makeRoom(session, STAND_IN, (what) => told.push(what));
    return { room, told, calls: session.calls };
  }

  it('is there, or is made by one compaction or two', () => {
    expect(made({ actions: ['none'] })).toMatchObject({ room: true, told: [] });
    const { room, told, calls } = made({
      actions: ['compact', 'emergency', 'none'],
      starts: [request('one'), notApplied('retained-does-not-fit')],
      ends: [applied('It was.')],
    });
    expect(room).toBe(true);
    expect(told).toEqual([
      {
        compaction: {
          stage: 'normal',
          request: { keep: 0, tail: 'one', tokens: 9 },
          not_applied: null,
        },
      },
      {
        compaction: { stage: 'emergency', request: null, not_applied: 'retained-does-not-fit' },
      },
    ]);
    expect(calls).toEqual([
      ['pressure', undefined],
      ['begin', { stage: 'normal' }],
      ['finish', { reply: STAND_IN }, undefined],
      ['pressure', undefined],
      ['begin', { stage: 'emergency' }],
      ['pressure', undefined],
    ]);
  });

  it('is not made by a third', () => {
    const { room, told } = made({
      actions: ['compact', 'emergency', 'compact'],
      starts: [request('one'), request('two')],
      ends: [notApplied('empty'), applied('It was.')],
    });
    expect(room).toBe(false);
    expect(told[0]).toHaveProperty('compaction.not_applied', 'empty');
    expect(told.at(-1)).toEqual({ stopped: 'a third compaction was asked for' });
  });

  it('is not there where the session stops', () => {
    const session = new Scripted({});
    session.pressure = () => ({ ...pressure('stop'), reason: 'too much' });
    const told: InWindow[] = [];
    expect(makeRoom(session, STAND_IN, (what) => told.push(what))).toBe(false);
    expect(told).toEqual([{ stopped: 'too much' }]);
  });
});

describe('the command', () => {
  function run(...given: string[]) {
    const file = path.join(temporaryFolder(), 'long.json');
    writeFileSync(file, LONG);
    const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...given, file], {
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  }

  it('reports what the library does', async () => {
    const given = ['--window', '4000', '--preset', 'steiner', '--summary-tokens', '50'];
    const { json } = await replayed({ window: 4000, preset: 'steiner', summaryTokens: 50 });
    expect(run('--json', ...given).stdout).toBe(`${json}\n`);
    expect(run('--help').stdout).toContain('--window N');
  });

  it.each([
    ['--window is `3999`, not a whole number from 4000 to 10000000', '--window', '3999'],
    ['--window is `1e5`, not a whole', '--window', '1e5'],
    ['--window is ``, not a whole', '--window='],
    ['--preset is `other`, not one of context-hygiene, steiner', '--window=4000', '--preset=other'],
    ['--summary-tokens is `0`, not a whole', '--window=4000', '--summary-tokens=0'],
    ['--preset needs --window', '--preset', 'steiner'],
    ['--summary-tokens needs --window', '--summary-tokens', '9'],
  ])('ends with 2: %s', (problem, ...given) => {
    const { status, stdout, stderr } = run(...given);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(`waybread-replay: ${problem}`);
  });
});
