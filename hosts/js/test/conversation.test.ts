import { describe, expect, it } from 'vitest';
import { load, MemoryStorage, MemoryTree, type Settings } from '../src/index.js';
import { DIALECTS, measured, PARAMETERS, replyOf, step } from './helpers/conversation.js';
import { call, detailOf, open, ROOT } from './helpers/session.js';

const CHAT: Partial<Settings> = { dialect: 'openai-chat', recall: false };

describe.each(DIALECTS)('a conversation in %s', (dialect) => {
  it('is a request that grows, and whose sent part stands', async () => {
    const session = await open({}, { dialect });
    session.addMessage({ user: { text: 'Größe, ␀ und 😀?' } });
    const requests = [session.buildRequest(PARAMETERS)];
    for (let n = 0; n < 20; n += 1) {
      step(session, dialect, `result ${String(n)}: ä€😀\n`.repeat(n));
      requests.push(session.buildRequest(PARAMETERS));
    }
    for (const [index, request] of requests.entries()) {
      const before = requests[index - 1]?.body ?? '';
      const kept = Buffer.from(before).subarray(0, request.keep).toString();
      expect(request.body).toBe(kept + request.tail);
      expect(request).toMatchObject({ number: index + 1, difference: undefined, closed: [] });
      expect(request).toMatchObject(measured(request));
      // What grows is the messages: the parameters at the end are written again.
      expect(request.shared).toBeGreaterThanOrEqual(request.keep);
      expect(Object.keys(JSON.parse(request.body) as object)).toContain('max_tokens');
    }
    expect(requests.at(-1)?.tail.length).toBeLessThan(1200);
  });

  it('takes a reply as text as it takes it as a value', async () => {
    const reply = replyOf(dialect, 'Hm.', ['one', 'two']);
    const answers = [];
    for (const json of [reply, JSON.stringify(reply)]) {
      const session = await open({}, { dialect });
      session.addMessage({ user: { text: 'Go.' } });
      const added = session.addMessage({ reply: { json } });
      session.insertResult({ id: 'two', name: 'bash', arguments: '{}' }, { output: 'second' });
      answers.push([added, session.buildRequest(PARAMETERS)]);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject([
      {
        number: 2,
        calls: [
          { call: { id: 'one', name: 'bash', arguments: '{}' }, refused: undefined },
          { call: { id: 'two', name: 'bash', arguments: '{}' }, refused: undefined },
        ],
        closed: [],
      },
      { closed: [{ id: '#0002', treatment: 'failed' }] },
    ]);
  });

  it('goes on in a fork with the bytes that it would have sent', async () => {
    const hosts = { storage: new MemoryStorage(), filesystem: new MemoryTree() };
    const settings = { root: ROOT, dialect };
    const session = (await load()).open('one', settings, hosts);
    session.addMessage({ user: { text: 'Go.' } });
    const { number } = step(session, dialect, 'kept');
    session.fork('at the step', number);
    step(session, dialect, 'more');
    session.fork('at the end');
    const next = session.buildRequest(PARAMETERS);
    const end = (await load()).open('at the end', settings, hosts);
    expect(end.buildRequest(PARAMETERS).body).toBe(next.body);
    session.rewind(number + 1);
    const fork = (await load()).open('at the step', settings, hosts);
    expect(fork.buildRequest(PARAMETERS).body).toBe(session.buildRequest(PARAMETERS).body);
    expect(() => {
      session.fork('one');
    }).toThrow('key');
  });
});

describe('a body', () => {
  it('is cut where messages were taken back, and older ones stay', async () => {
    const session = await open({}, CHAT);
    session.addMessage({ user: { text: 'one 😀' } });
    const first = session.buildRequest(PARAMETERS);
    session.addMessage({ reply: { json: replyOf('openai-chat', 'No.') } });
    session.addMessage({ user: { text: 'two €' } });
    const second = session.buildRequest(PARAMETERS);
    session.rewind(2);
    const third = session.buildRequest(PARAMETERS);
    expect(third.body).toBe(first.body);
    expect(second.body).toContain('two €');
    expect(third.difference).toEqual({ part: 'messages', message: 2, cause: 'rewind' });
    session.addMessage({ reply: { json: replyOf('openai-chat', 'Yes.') } });
    expect(session.buildRequest(PARAMETERS).body).toContain('"content":"Yes."');
  });

  it('has parameters as they are spelled, and values as JSON.stringify does', async () => {
    const session = await open({}, { ...CHAT, kind: 'chat' });
    session.addMessage({ user: { text: 'x' } });
    expect(session.buildRequest('{"temperature": 1.0, "2": 0, "1": 0}').body).toBe(
      '{"messages":[{"role":"user","content":"x"}],"temperature":1.0,"2":0,"1":0}',
    );
    expect(session.buildRequest({ stop: ['\ud800', '\\ud800', '😀'], temperature: 1 }).body).toBe(
      '{"messages":[{"role":"user","content":"x"}],"stop":["\ufffd","\\\\ud800","😀"],"temperature":1}',
    );
    expect(session.buildRequest().body).toBe('{"messages":[{"role":"user","content":"x"}]}');
  });
});

describe('messages', () => {
  it('have parts, senders, notes, and are stored', async () => {
    const session = await open({}, CHAT);
    const parts = [
      { text: 'a' },
      { image: { mediaType: 'image/png', base64: 'AA==' } },
      { imageUrl: 'https://example.org/a.png' },
      { block: { type: 'file', file: { file_id: 'f' } } },
      { block: '{"type":"text", "text":"b"}' },
    ];
    session.note({ kind: 'plan', text: 'First this.' });
    const { number, note } = session.addMessage({ user: { text: 'x', parts, date: '2026-11-30' } });
    expect(note).toBe(
      '<session-note>\nThe plan was changed. It is now:\nFirst this.\n\nThe date is 2026-11-30.\n</session-note>',
    );
    const body = JSON.parse(session.buildRequest().body) as { messages: { content: unknown }[] };
    expect(body.messages.at(-1)?.content).toEqual([
      { type: 'text', text: 'x' },
      { type: 'text', text: 'a' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
      { type: 'image_url', image_url: { url: 'https://example.org/a.png' } },
      { type: 'file', file: { file_id: 'f' } },
      { type: 'text', text: 'b' },
      { type: 'text', text: note },
    ]);
    session.addMessage({ reply: { json: '{"content":"cut"}', incomplete: true } });
    session.addMessage({ user: { text: 'job', sender: 'machine', delivery: 'step-boundary' } });
    session.addMessage({ wrapUp: true });
    const stored = { results: [], incomplete: false, note: undefined, startsTurn: false };
    expect(session.conversation()).toEqual([
      { ...stored, number, speaker: 'person', startsTurn: true, text: 'x', given: 'x', note },
      {
        ...stored,
        number: 2,
        speaker: 'model',
        text: 'cut',
        given: '{"content":"cut"}',
        incomplete: true,
      },
      { ...stored, number: 3, speaker: 'machine', text: 'job', given: 'job' },
      expect.objectContaining({ number: 4, speaker: 'machine', startsTurn: false }),
    ]);
  });

  it('that the model changed itself need no note', async () => {
    const session = await open({}, CHAT);
    session.note({ kind: 'memory', name: 'notes.md', text: 'new' }, { byModel: true });
    session.note({ kind: 'personality', text: 'Calm.' }, {});
    const { note } = session.addMessage({ user: { text: 'x' } });
    expect(note).toBe('<session-note>\nAnother personality was chosen:\nCalm.\n</session-note>');
  });
});

describe('the prefix', () => {
  const tools = [
    { name: 'bash', description: 'Runs.', parameters: { type: 'object', properties: {} } },
    { name: 'page', requires: ['page'], unavailable: 'No page is open.' },
    { name: 'look', vision: true },
    { name: 'ask', kinds: ['chat' as const] },
    { name: 'own', definition: '{"type":"custom", "custom":{"name":"own"}}' },
  ];
  const prompt = { sources: [{ part: 'preamble' as const, name: 'harness', text: 'Be brief.\n' }] };

  it('is made of the settings, and stands', async () => {
    const session = await open({}, { ...CHAT, tools, prompt, vision: false, start: 'web' });
    const { system, tools: listed } = session.prefix();
    expect(system).toBe(
      'Be brief.\n\nProject: app (paths are relative to its root)\nStarted in: web (relative to the project root)',
    );
    expect(JSON.parse(listed)).toEqual([
      {
        type: 'function',
        function: {
          name: 'bash',
          description: 'Runs.',
          parameters: { type: 'object', properties: {} },
        },
      },
      expect.objectContaining({ function: expect.objectContaining({ name: 'page' }) as object }),
      { type: 'custom', custom: { name: 'own' } },
    ]);
    session.setPrompt({ sources: [{ part: 'preamble', name: 'harness', text: 'Be long.' }] });
    expect(session.prefix().system).toBe(system);
    session.addMessage({ user: { text: 'x' } });
    session.buildRequest({ model: 'a' });
    const moved = session.buildRequest({ model: 'b' });
    expect(moved.difference).toEqual({ part: 'model', message: undefined, cause: 'model' });
    expect(session.prefix().system).toMatch(/^Be long\./);
  });

  it('offers recall unless told otherwise, and only the tools that are let through', async () => {
    const names = async (settings: Partial<Settings>) => {
      const session = await open({}, { ...CHAT, tools, recall: undefined, ...settings });
      const listed = JSON.parse(session.prefix().tools) as { function?: { name: string } }[];
      return listed.map((tool) => tool.function?.name ?? 'own');
    };
    expect(await names({})).toEqual(['bash', 'page', 'look', 'own', 'recall']);
    expect(await names({ onlyTools: ['bash', 'page'] })).toEqual(['bash', 'page']);
    expect(await names({ withoutTools: ['bash', 'recall'] })).toEqual(['page', 'look', 'own']);
    expect(await names({ kind: 'chat', recall: false })).toContain('ask');
  });

  it('keeps what comes and goes, and what is withdrawn', async () => {
    const session = await open({}, { ...CHAT, tools, conditions: ['page'] });
    const refusedCalls = (name: string, id: string) => {
      const tool = { id, type: 'function', function: { name, arguments: '{}' } };
      const { calls } = session.addMessage({ reply: { json: { tool_calls: [tool] } } });
      return calls.map(({ refused }) => refused?.text);
    };
    session.addMessage({ user: { text: 'x' } });
    const { tools: listed } = session.prefix();
    expect(refusedCalls('page', '1')).toEqual([undefined]);
    session.setCondition('page', false);
    expect(refusedCalls('page', '2')).toEqual(['[#0002] No page is open.']);
    session.withdrawTool('bash', 'No more of it.');
    expect(refusedCalls('bash', '3')).toEqual(['[#0003] No more of it.']);
    expect(session.prefix().tools).toBe(listed);
    session.connectServer('maps', [{ name: 'route' }], 'Ask it the way.');
    session.connectServer('silent', [{ name: 'wait' }]);
    expect(session.prefix().tools).toContain('"route"');
    const { note } = session.addMessage({ user: { text: 'y' } });
    expect(note).toContain('The MCP server maps says how it is used:\nAsk it the way.');
  });
});

it('usage is kept for the cache report', async () => {
  const session = await open({}, CHAT);
  session.addMessage({ user: { text: 'x' } });
  const { length } = session.buildRequest();
  const usage = { prompt_tokens: 10, completion_tokens: 2, prompt_cache_hit_tokens: 4 };
  const kept = { input: 10, cached: 4, written: undefined, output: 2 };
  expect(session.recordUsage(1, usage)).toEqual(kept);
  expect(session.recordUsage(1, JSON.stringify({ usage }))).toEqual(kept);
  session.buildRequest();
  expect(session.cacheReport()).toEqual([
    { number: 1, length, shared: 0, difference: undefined, usage: kept },
    { number: 2, length, shared: length, difference: undefined, usage: undefined },
  ]);
  expect(detailOf(() => session.recordUsage(3, usage))).toEqual({
    code: 'unknown-request',
    number: 3,
  });
});

it('paths are named for prompts, texts are checked for them, settings are told', async () => {
  const session = await open({}, { home: '/home/ada' });
  expect(['/work/app/a', '/home/ada/b', '/c'].map((path) => session.namePath(path))).toEqual([
    'a',
    '~/b',
    '/c',
  ]);
  session.checkPaths('task', 'Look at a.');
  const check = () => {
    session.checkPaths('task', 'Look at /work/app/a.');
  };
  expect(detailOf(check)).toMatchObject({ code: 'invalid-argument', argument: 'text' });
  expect(session.setting('tools.mcp_wait_ms')).toBe('5000');
  expect(detailOf(() => session.setting('tools.x'))).toMatchObject({ code: 'invalid-setting' });
});

describe('errors of a conversation', () => {
  it('say what is out of order, and which call is not open', async () => {
    const results = await open();
    const add = () => results.addMessage({ user: { text: 'x' } });
    expect(detailOf(add)).toMatchObject({ code: 'out-of-order' });
    const session = await open({}, CHAT);
    const reply = () => session.addMessage({ reply: { json: { content: 'x' } } });
    expect(detailOf(reply)).toMatchObject({
      code: 'out-of-order',
      problem: expect.any(String) as string,
    });
    session.addMessage({ user: { text: 'x' } });
    session.addMessage({ reply: { json: replyOf('openai-chat', '', ['a', 'b']) } });
    expect(detailOf(() => session.insertResult(call(), { output: '' }))).toMatchObject({
      code: 'unknown-call',
      open: ['a', 'b'],
    });
    const rewind = () => {
      session.rewind(9);
    };
    expect(detailOf(rewind)).toEqual({ code: 'unknown-message', number: 9 });
  });

  it('name the place in a reply', async () => {
    const session = await open({}, CHAT);
    session.addMessage({ user: { text: 'x' } });
    const json = { tool_calls: [{ id: 'a', type: 'function', function: { arguments: '{}' } }] };
    expect(detailOf(() => session.addMessage({ reply: { json } }))).toMatchObject({
      code: 'invalid-argument',
      argument: 'reply.json.tool_calls[0].function.name',
    });
  });

  it('tell that a session has another dialect', async () => {
    const storage = new MemoryStorage();
    await open({ storage }, CHAT);
    await expect(open({ storage }, { dialect: 'openai-responses' })).rejects.toMatchObject({
      detail: {
        code: 'settings-differ',
        name: 'dialect',
        kept: 'openai-chat',
        given: 'openai-responses',
      },
    });
  });
});
