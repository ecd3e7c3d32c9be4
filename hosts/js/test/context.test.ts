/** What fills a window, for people; the table and the page are the component's, and tested there. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contextJson, contextPage, contextTable, storedContextReport } from '../src/context.js';
import { MemoryStorage, type ContextReport, type Settings } from '../src/index.js';
import { DIALECTS, replyOf } from './helpers/conversation.js';
import { reported, SESSION, TOOL } from './helpers/reported.js';
import { detailOf, open } from './helpers/session.js';

const RECORDINGS = new URL('../../../recordings/tests/context/', import.meta.url);

function shared(name: string): string {
  return readFileSync(new URL(name, RECORDINGS), 'utf8');
}

/** The report that every host's page is made of. */
function sharedReport(): { session: string; report: ContextReport } {
  const { session, pressure, ...others } = JSON.parse(shared('report.json')) as {
    session: string;
    pressure: Record<string, never>;
  } & Pick<ContextReport, 'bytes' | 'parts' | 'biggest'>;
  const { tokens, strategy, confidence, soft_limit, hard_limit, ...rest } = pressure;
  const estimate = { tokens, raw: 0, strategy, confidence };
  const limits = { softLimit: soft_limit, hardLimit: hard_limit, used: 0, fits: true };
  const full = { estimate, ...limits, ...rest } as unknown as ContextReport['pressure'];
  return { session, report: { ...others, pressure: full } };
}

describe('a context report', () => {
  it('is JSON, a table and a page, the same in every host', async () => {
    const { session, report } = sharedReport();
    expect(contextJson(session, report)).toBe(JSON.stringify(JSON.parse(shared('report.json'))));
    expect(await contextTable(session, report)).toBe(shared('table.txt').trimEnd());
    expect(await contextPage(session, report)).toBe(shared('page.html'));
  });

  it('of a session has its numbers', async () => {
    const report = await reported();
    const table = await contextTable(SESSION, report);
    expect(table).toContain(` Results: ${TOOL} `);
    expect(table).toContain(report.bytes.toLocaleString('en'));
    expect(table).toContain('of the window of 16,000 tokens');
    expect(await contextPage(SESSION, report)).not.toContain(TOOL);
  });

  it('that is none is refused in words', async () => {
    const { report } = sharedReport();
    const odd = { ...report, bytes: -1 };
    await expect(contextTable('s', odd)).rejects.toThrow('the report cannot be shown: ');
    await expect(contextPage('s', odd)).rejects.toThrow('not a context report');
    expect(contextJson('\ud800', report)).toContain('"session":"\ufffd"');
  });

  it.each<[string, string, unknown[]]>([
    ['session', 'of type object, not a string', [sharedReport().report]],
    ['report', 'is missing', ['s']],
    ['report', 'x…", not an object', ['s', 'x'.repeat(999)]],
    ['report.pressure', 'is missing', ['s', {}]],
    ['report.pressure.estimate', 'is missing', ['s', { pressure: {} }]],
    ['report.parts', 'is missing', ['s', { pressure: { estimate: {} } }]],
    ['report.parts[0]', 'is "1"', ['s', { ...sharedReport().report, parts: ['1'] }]],
    ['report.biggest', 'is null', ['s', { ...sharedReport().report, biggest: null }]],
  ])('of the wrong kind is named: %s %s', async (argument, problem, given) => {
    const detail = { code: 'invalid-argument', argument };
    for (const show of [contextTable, contextPage]) {
      const work = (show as (...given: unknown[]) => Promise<string>)(...given);
      await expect(work).rejects.toMatchObject({ detail });
    }
    const work = () => (contextJson as (...given: unknown[]) => string)(...given);
    expect(detailOf(work)).toHaveProperty('problem', expect.stringContaining(problem));
  });
});

describe('a stored session', () => {
  const given: Partial<Settings>[] = [
    ...DIALECTS.map((dialect) => ({ dialect })),
    { dialect: 'anthropic-messages', kind: 'chat' },
  ];

  it.each(given)('is looked at, and stays as it is: %o', async (settings) => {
    const storage = new MemoryStorage();
    const prompt = { sources: [{ part: 'preamble', text: 'You are kind.' } as const] };
    const overrides = { budget: { window: 16_000 } };
    const session = await open({ storage }, { ...settings, prompt, overrides });
    session.addMessage({ user: { text: 'hello' } });
    session.buildRequest({ model: 'one' });
    const { dialect = 'openai-chat' } = settings;
    session.addMessage({ reply: { json: replyOf(dialect, 'hi') } });
    const log = storage.readLog('session', 0);
    const report = await storedContextReport(storage, 'session');
    expect(report).toEqual(session.contextReport());
    expect(await storedContextReport(storage, 'session', { model: 'one' })).toEqual(report);
    expect(storage.readLog('session', 0)).toEqual(log);
    const other = storedContextReport(storage, 'session', { model: 'two' });
    if (settings.kind === 'chat') {
      // Nothing in its prompt is of the machine: made again, it is the same.
      expect(await other).toEqual(session.contextReport({ model: 'two' }));
    } else {
      await expect(other).rejects.toMatchObject({ detail: { argument: 'parameters' } });
    }
  });

  it('that is not there, or of results only, is refused', async () => {
    const storage = new MemoryStorage();
    await expect(storedContextReport(storage, 'session')).rejects.toMatchObject({
      detail: { code: 'invalid-argument', argument: 'key' },
    });
    expect(storage.readLog('session', 0)).toEqual([]);
    await open({ storage });
    await expect(storedContextReport(storage, 'session')).rejects.toMatchObject({
      code: 'out-of-order',
    });
  });

  it.each([
    ['storage', '"kept", not an object', 'kept', 'session'],
    ['storage', 'has no method `append`', {}, 'session'],
    ['key', 'missing', new MemoryStorage(), undefined],
  ])(
    'is not looked for by an argument of the wrong kind: %s',
    async (argument, problem, ...given) => {
      const work = storedContextReport(...(given as [never, never]));
      await expect(work).rejects.toMatchObject({
        detail: { argument, problem: expect.stringContaining(problem) as string },
      });
    },
  );
});
