/** Compactions on the component, in each dialect. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  MemoryStorage,
  type Dialect,
  type Json,
  type Session,
  type Settings,
  type Storage,
  type SummaryRequest,
} from '../src/index.js';
import { writeHistory } from '../src/node.js';
import { SqliteStorage } from '../src/sqlite.js';
import { DIALECTS, measured, PARAMETERS, step, summaryOf } from './helpers/conversation.js';
import { temporaryFolder } from './helpers/folder.js';
import { detailOf, open } from './helpers/session.js';

const BUDGET = { window: 10_000, max_output: 500 };
const ARCHIVE = { keep: 'markdown', path: 'history.md' };
const MAIN = { provider: 'p', model: 'some-model' };

/** A turn of three steps, which fill a window of 10,000 tokens by more than 70 %. */
async function filled(
  dialect: Dialect,
  storage: Storage = new MemoryStorage(),
  settings: Partial<Settings> = {},
): Promise<Session> {
  const overrides = { budget: BUDGET };
  const session = await open({ storage }, { dialect, recall: false, overrides, ...settings });
  session.addMessage({ user: { text: 'Größe, ␀ und 😀?' } });
  session.buildRequest(PARAMETERS);
  for (const name of ['one', 'two', 'three']) {
    step(session, dialect, `${name} word and 😀 ä€\n`.repeat(300));
  }
  session.buildRequest(PARAMETERS);
  return session;
}

/** Answers each request for a summary, and keeps them. */
function answering(dialect: Dialect, ...summaries: string[]) {
  const requests: SummaryRequest[] = [];
  const send = (request: SummaryRequest): Promise<Json> => {
    requests.push(request);
    return Promise.resolve(summaryOf(dialect, summaries.shift() ?? 'No more.'));
  };
  return { requests, send };
}

describe.each(DIALECTS)('in %s', (dialect) => {
  it('the request for a summary is a body of its own, and the last one stays', async () => {
    const [session, twin] = [await filled(dialect), await filled(dialect)];
    const before = session.buildRequest(PARAMETERS);
    twin.buildRequest(PARAMETERS);
    const { request } = session.compactBegin({ parameters: PARAMETERS, steering: 'names' });
    if (request === undefined) throw new Error('no request for a summary');
    expect(request).toMatchObject({ ...measured(request), stage: 'normal', onFallback: false });
    const kept = Buffer.from(before.body).subarray(0, request.keep).toString();
    expect(request.body).toBe(kept + request.tail);
    // All but the closing of the messages and the parameters behind it.
    expect(before.length - request.keep).toBeLessThan(100);
    expect(request.body).toContain('names');
    expect(JSON.parse(request.body)).toMatchObject({ model: 'some-model' });
    session.compactFinish({ cancelled: true });
    for (const each of [session, twin]) each.addMessage({ user: { text: 'Go on.' } });
    const next = session.buildRequest(PARAMETERS);
    const ids = /reply-call-\d+/g;
    expect(next.body.replace(ids, 'id')).toBe(
      twin.buildRequest(PARAMETERS).body.replace(ids, 'id'),
    );
    expect(next).toMatchObject(measured(next));
    expect(next.keep).toBeGreaterThan(0);
  });

  it('a whole one leaves a summary, and the session goes on', async () => {
    const session = await filled(dialect);
    expect(session.pressure(PARAMETERS)).toMatchObject({ window: 10_000, action: 'compact' });
    const { send, requests } = answering(dialect, 'The person asked for a size.');
    const { applied, notApplied } = await session.compact(send, { parameters: PARAMETERS });
    expect(notApplied).toBeUndefined();
    expect(requests).toHaveLength(1);
    expect(applied).toHaveLength(1);
    const [compacted] = applied;
    expect(compacted).toMatchObject({
      stage: 'normal',
      generation: 2,
      summary: 'The person asked for a size.',
      retained: 0,
      pressure: { action: 'none', fits: true },
      health: { state: 'stable' },
      stateCleared: false,
      warnings: [],
    });
    expect(compacted?.tokensAfter).toBeLessThan(compacted?.tokensBefore ?? 0);
    session.addMessage({ user: { text: 'And now?' } });
    const next = session.buildRequest(PARAMETERS);
    expect(next).toMatchObject({ difference: { cause: 'compaction' }, ...measured(next) });
    expect(next.body).toContain('The person asked for a size.');
    expect(next.body).not.toContain('three word');
    expect(next.pressure.action).toBe('none');
  });

  it('its generations can be read, and what is beside the conversation', async () => {
    const session = await filled(dialect);
    const before = session.conversation();
    await session.compact(answering(dialect, 'It was.').send, { parameters: PARAMETERS });
    expect(session.lineage()).toEqual([
      { number: 1, messages: before.length },
      { number: 2, messages: 1, stage: 'normal', summary: 'It was.' },
    ]);
    expect(session.generation(1)).toEqual(before);
    expect(session.generation(2)).toEqual(session.conversation());
    expect(session.conversation()).toMatchObject([{ speaker: 'summary' }]);
    expect(session.contextState()).toEqual({ recentCalls: [], turns: 1 });
    expect(detailOf(() => session.generation(3))).toEqual({
      code: 'unknown-generation',
      number: 3,
    });
  });

  it('another instance goes on with the same bytes', async () => {
    const file = path.join(temporaryFolder(), 'sessions.sqlite');
    const session = await filled(dialect, new SqliteStorage(file));
    await session.compact(answering(dialect, 'It was 😀.').send, { parameters: PARAMETERS });
    const settings = { dialect, recall: false, overrides: { budget: BUDGET } };
    const resumed = await open({ storage: new SqliteStorage(file) }, settings);
    expect(resumed.lineage()).toEqual(session.lineage());
    const { sha256, body } = resumed.buildRequest(PARAMETERS);
    session.reopen();
    expect(session.buildRequest(PARAMETERS)).toMatchObject({ sha256, body });
  });

  it('a reply that is none leaves all as it was', async () => {
    const session = await filled(dialect);
    const { sha256 } = session.buildRequest(PARAMETERS);
    session.compactBegin({ parameters: PARAMETERS });
    const { notApplied } = session.compactFinish({ reply: summaryOf(dialect, ' ') });
    expect(notApplied).toMatchObject({ stage: 'normal', reason: 'empty', rerunOnMain: false });
    expect(notApplied?.message).not.toBe('');
    expect(session.buildRequest(PARAMETERS).sha256).toBe(sha256);
    expect(session.pressure(PARAMETERS).action).toBe('emergency');
  });
});

describe('a whole compaction', () => {
  it('goes on with emergency after a failure, and tells what was thrown', async () => {
    const session = await filled('openai-chat');
    const error = new Error('the line is dead');
    const reply = summaryOf('openai-chat', 'It was.');
    let sent = 0;
    const send = () => {
      sent += 1;
      return sent === 1 ? Promise.reject(error) : Promise.resolve(reply);
    };
    const { applied, attempts } = await session.compact(send, { parameters: PARAMETERS });
    expect(attempts).toMatchObject([
      { error, notApplied: { reason: 'failed' } },
      { applied: { stage: 'emergency', summary: 'It was.' } },
    ]);
    expect(attempts[0]?.notApplied?.message).toContain('the line is dead');
    expect(applied).toHaveLength(1);
  });

  it('asks the fallback, and the main model where that fails', async () => {
    const session = await filled('openai-chat');
    const { send, requests } = answering('openai-chat', '', 'It was.');
    const fallback = {
      provider: 'q',
      model: 'cheap',
      parameters: { model: 'cheap' },
      reason: 'no recent request',
    };
    const options = { main: MAIN, parameters: PARAMETERS, target: { fallback } };
    const { applied, attempts } = await session.compact(send, options);
    expect(requests.map(({ onFallback }) => onFallback)).toEqual([true, false]);
    expect(requests.map(({ body }) => (JSON.parse(body) as { model: string }).model)).toEqual([
      'cheap',
      'some-model',
    ]);
    expect(attempts[0]).toMatchObject({ notApplied: { reason: 'empty', rerunOnMain: true } });
    expect(applied).toMatchObject([{ fallback: { status: 'skipped', model: 'q/cheap' } }]);
  });

  it('is cancelled, and the session goes on as if nothing had been asked', async () => {
    const session = await filled('openai-chat');
    const { sha256 } = session.buildRequest(PARAMETERS);
    const controller = new AbortController();
    const waiting = session.compact(
      () =>
        new Promise<Json>((_, reject) => {
          controller.signal.addEventListener('abort', () => {
            reject(controller.signal.reason as Error);
          });
        }),
      { parameters: PARAMETERS, signal: controller.signal },
    );
    // One at a time.
    await expect(session.compact(() => Promise.resolve(''))).rejects.toMatchObject({
      code: 'out-of-order',
    });
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    expect(session.buildRequest(PARAMETERS).sha256).toBe(sha256);
    expect(session.pressure(PARAMETERS).action).toBe('compact');
    const { applied } = await session.compact(answering('openai-chat', 'It was.').send, {
      parameters: PARAMETERS,
    });
    expect(applied).toHaveLength(1);
  });

  it('retains what is added while it runs', async () => {
    const session = await filled('openai-chat');
    const { send } = answering('openai-chat', 'It was.');
    const { applied } = await session.compact(
      (request) => {
        session.addMessage({ user: { text: 'One more thing.', delivery: 'step-boundary' } });
        return send(request);
      },
      { parameters: PARAMETERS },
    );
    expect(applied).toMatchObject([{ retained: 1 }]);
    expect(session.buildRequest(PARAMETERS).body).toContain('One more thing.');
  });

  it('fails where a request was built in the meantime', async () => {
    const session = await filled('openai-chat');
    const running = session.compact(
      () => {
        session.buildRequest(PARAMETERS);
        return Promise.resolve(summaryOf('openai-chat', 'It was.'));
      },
      { parameters: PARAMETERS },
    );
    await expect(running).rejects.toMatchObject({ code: 'out-of-order' });
    expect(session.lineage()).toHaveLength(1);
  });
});

describe('a compaction', () => {
  it('is out of order where it was not begun, and while calls are open', async () => {
    const session = await filled('openai-chat');
    expect(detailOf(() => session.compactFinish({ cancelled: true }))).toMatchObject({
      code: 'out-of-order',
    });
    session.compactBegin({ parameters: PARAMETERS });
    session.reopen();
    expect(detailOf(() => session.compactFinish({ failed: 'x' }))).toMatchObject({
      code: 'out-of-order',
    });
    const call = { id: 'open', type: 'function', function: { name: 'bash', arguments: '{}' } };
    const json = { role: 'assistant', content: null, tool_calls: [call] };
    session.addMessage({ reply: { json } });
    expect(detailOf(() => session.compactBegin())).toMatchObject({ code: 'out-of-order' });
  });

  it('keeps nothing of a body that this instance has not handed out', async () => {
    const session = await filled('openai-chat');
    session.reopen();
    const { request } = session.compactBegin({ parameters: PARAMETERS });
    expect(request).toMatchObject({ keep: 0, tail: request?.body });
  });

  it('takes lone surrogates as U+FFFD, wherever they are', async () => {
    const session = await filled('openai-chat');
    const { request } = session.compactBegin({ parameters: PARAMETERS, steering: 'a\ud800b' });
    expect(request?.body).toContain('a\ufffdb');
    expect(request).toMatchObject(measured(request ?? { body: '' }));
    const { notApplied } = session.compactFinish({ failed: 'c\udc00d' });
    expect(notApplied?.message).toContain('c\ufffdd');
    session.compactBegin({ parameters: PARAMETERS });
    const pendingSubagents = [{ id: 'e\ud800', kind: '\ud801f', state: 'running' }];
    const reply = summaryOf('openai-chat', 'g\ud800h');
    const { applied } = session.compactFinish({ reply }, { pendingSubagents });
    expect(applied?.summary).toBe('g\ufffdh');
    const { body } = session.buildRequest(PARAMETERS);
    expect(body).toContain('e\ufffd (\ufffdf, running)');
    session.mainRequestAnswered({ model: { provider: 'p\ud800', model: 'm' }, at: 1 });
    expect(session.lastMainRequest()?.model.provider).toBe('p\ufffd');
  });
});

describe('the last main request', () => {
  it('is told with its time, and says whether the cache is cold', async () => {
    const session = await filled('openai-chat');
    expect(session.lastMainRequest()).toBeUndefined();
    const idle = { afterMs: 300_000, now: Date.UTC(2026, 10, 30, 12) };
    expect(session.fallbackDue(MAIN, idle)).toEqual({ cold: 'no recent request' });
    session.mainRequestAnswered({ model: MAIN, at: idle.now - 60_000 });
    expect(session.lastMainRequest()).toEqual({
      model: MAIN,
      cacheKey: '',
      at: idle.now - 60_000,
    });
    expect(session.fallbackDue(MAIN, idle)).toBe('warm');
    expect(session.fallbackDue(MAIN, { ...idle, afterMs: 0 })).toBe('disabled');
    const later = { ...idle, now: idle.now + 660_000 };
    expect(session.fallbackDue(MAIN, later)).toEqual({ cold: 'idle 12m > 5m' });
    const other = { cold: 'no recent request' };
    expect(session.fallbackDue(MAIN, { ...idle, cacheKey: 'key' })).toEqual(other);
    expect(session.fallbackDue({ ...MAIN, model: 'm' }, idle)).toEqual(other);
  });

  it('has the whole numbers that JavaScript has', async () => {
    const session = await filled('openai-chat');
    for (const at of [0, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
      session.mainRequestAnswered({ model: MAIN, cacheKey: 'key', at });
      expect(session.lastMainRequest()).toEqual({ model: MAIN, cacheKey: 'key', at });
    }
  });
});

describe('the history', () => {
  it('holds what summaries stand for, and is written to a file', async () => {
    const overrides = { budget: BUDGET, archive: ARCHIVE };
    const session = await filled('openai-chat', new MemoryStorage(), { overrides });
    const file = path.join(temporaryFolder(), 'history.md');
    expect(session.history()).toBe('');
    expect(writeHistory(session, file)).toBe(false);
    const { send } = answering('openai-chat', 'It was.');
    const { applied } = await session.compact(send, { parameters: PARAMETERS });
    expect(applied[0]?.warnings).toEqual([]);
    expect(session.history()).toContain('## Person\n\nGröße, ␀ und 😀?\n');
    expect(writeHistory(session, file)).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe(session.history());
  });
});
