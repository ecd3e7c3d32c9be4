/** Arguments of the wrong kind, which a caller without types can give. */
import { describe, expect, it } from 'vitest';
import { MemoryStorage, MemoryTree, Session } from '../src/index.js';
import { call, detailOf, open, ROOT } from './helpers/session.js';

type Work = (session: Session) => unknown;

const results: [string, string, Work][] = [
  ['call', 'missing', (s) => s.insertResult(undefined as never, { output: '' })],
  ['call.id', 'of type number', (s) => s.recall({ ...call(), id: 1 } as never, '1')],
  ['call.arguments', 'of type object', (s) => s.recall({ ...call(), arguments: {} } as never, '1')],
  ['call.type', 'is unknown', (s) => s.recall({ ...call(), type: 'function' } as never, '1')],
  ['outcome', 'is empty', (s) => s.insertResult(call(), {} as never)],
  ['outcome', '`output`, `failure`', (s) => s.insertResult(call(), { output: '', failure: '' })],
  ['outcome', '`done`', (s) => s.insertResult(call(), { done: 1 } as never)],
  ['outcome', '`toString`', (s) => s.insertResult(call(), { toString: 1 } as never)],
  ['output', 'of type number', (s) => s.insertResult(call(), { output: 1 } as never)],
  ['read.path', 'missing', (s) => s.insertResult(call(), { read: {} } as never)],
  ['read.offset', 'is -1', (s) => s.insertResult(call(), { read: { path: 'a', offset: -1 } })],
  ['read.limit', 'is 1.5', (s) => s.insertResult(call(), { read: { path: 'a', limit: 1.5 } })],
  [
    'read.lines',
    '`path`, `offset`, `limit` and `force`',
    (s) => s.insertResult(call(), { read: { path: 'a', lines: 1 } as never }),
  ],
  ['limit', 'is 4294967296', (s) => s.recall(call(), '1', { limit: 2 ** 32 })],
  ['offset', 'is "1"', (s) => s.recall(call(), '1', { offset: '1' as never })],
  ['window.from', '`charLimit`', (s) => s.recall(call(), '1', { from: 1 } as never)],
  ['changes.files', 'missing', (s) => s.insertResult(call(), { changes: {} } as never)],
  [
    'changes.files[0].after',
    'of type object',
    (s) => s.insertResult(call(), { changes: { files: [{ path: 'a', after: {} as never }] } }),
  ],
  [
    'changes.files[0]',
    'missing',
    (s) => s.insertResult(call(), { changes: { files: new Array<never>(1) } }),
  ],
  [
    'changes.files[0].old',
    '`path`, `before` and `after`',
    (s) => s.insertResult(call(), { changes: { files: [{ path: 'a', old: '' } as never] } }),
  ],
  ['id', 'null', (s) => s.storedText(null as never)],
];

const cyclic: Record<string, unknown> = {};
cyclic.context = cyclic;

const conversations: [string, string, Work][] = [
  ['message', 'missing', (s) => s.addMessage(undefined as never)],
  ['message', '`assistant`', (s) => s.addMessage({ assistant: {} } as never)],
  ['message', '`user`, `wrapUp`', (s) => s.addMessage({ user: {}, wrapUp: true })],
  ['wrapUp', 'of type boolean, not `true`', (s) => s.addMessage({ wrapUp: false as never })],
  ['user', 'is "x", not an object', (s) => s.addMessage({ user: 'x' as never })],
  ['user.text', 'of type number', (s) => s.addMessage({ user: { text: 1 as never } })],
  ['user.content', 'is unknown', (s) => s.addMessage({ user: { content: 'x' } as never })],
  [
    'user.sender',
    'is "me", not "person", "machine" or "subagent"',
    (s) => s.addMessage({ user: { sender: 'me' as never } }),
  ],
  [
    'user.delivery',
    '"starts-turn" or "step-boundary"',
    (s) => s.addMessage({ user: { delivery: 'now' as never } }),
  ],
  ['user.date', 'of type object', (s) => s.addMessage({ user: { date: new Date(0) as never } })],
  ['user.parts', 'of type object', (s) => s.addMessage({ user: { parts: {} as never } })],
  [
    'user.parts[1]',
    '`text`, `image`, `imageUrl` and `block`',
    (s) => s.addMessage({ user: { parts: [{ text: '' }, { audio: 1 } as never] } }),
  ],
  [
    'user.parts[0].image.mediaType',
    'missing',
    (s) => s.addMessage({ user: { parts: [{ image: { base64: '' } as never }] } }),
  ],
  [
    'user.parts[0].imageUrl',
    'of type object',
    (s) => s.addMessage({ user: { parts: [{ imageUrl: new URL('https://a/') as never }] } }),
  ],
  [
    'user.parts[0].block',
    'of type number, not an object or JSON text',
    (s) => s.addMessage({ user: { parts: [{ block: 1 as never }] } }),
  ],
  ['reply.json', 'missing', (s) => s.addMessage({ reply: {} as never })],
  [
    'reply.content',
    '`json` and `incomplete`',
    (s) => s.addMessage({ reply: { content: '' } as never }),
  ],
  [
    'reply.incomplete',
    'is "no", not a boolean',
    (s) => s.addMessage({ reply: { json: {}, incomplete: 'no' as never } }),
  ],
  ['reply.json', 'is a promise', (s) => s.addMessage({ reply: { json: Promise.resolve({}) } })],
  [
    'reply.json',
    'is a Response, not',
    (s) => s.addMessage({ reply: { json: new Response('{}') } }),
  ],
  ['parameters', 'is a Map, not', (s) => s.buildRequest(new Map([['model', 'm']]))],
  [
    'parameters',
    'is a schema of a library, not JSON Schema',
    (s) => s.buildRequest({ '~standard': { version: 1, vendor: 'zod' } }),
  ],
  ['parameters', 'null', (s) => s.buildRequest(null as never)],
  ['parameters', 'circular', (s) => s.buildRequest(cyclic)],
  ['parameters', 'BigInt', (s) => s.buildRequest({ seed: 1n })],
  ['parameters', 'toJSON', (s) => s.buildRequest({ toJSON: () => undefined })],
  ['parameters', 'of type function', (s) => s.buildRequest(() => undefined)],
  [
    'first',
    'missing',
    (s) => {
      s.rewind(undefined as never);
    },
  ],
  [
    'last',
    'is NaN',
    (s) => {
      s.rewind(1, NaN);
    },
  ],
  [
    'key',
    'of type number',
    (s) => {
      s.fork(1 as never);
    },
  ],
  [
    'after',
    'is -1',
    (s) => {
      s.fork('x', -1);
    },
  ],
  [
    'change.kind',
    '"memory"',
    (s) => {
      s.note({ kind: 'date' as never });
    },
  ],
  [
    'change.value',
    'is unknown',
    (s) => {
      s.note({ kind: 'plan', value: '' } as never);
    },
  ],
  [
    'options',
    'of type boolean',
    (s) => {
      s.note({ kind: 'plan' }, true as never);
    },
  ],
  [
    'options.byModel',
    'of type number',
    (s) => {
      s.note({ kind: 'plan' }, { byModel: 1 as never });
    },
  ],
  [
    'prompt.sources',
    'is "x"',
    (s) => {
      s.setPrompt({ sources: 'x' as never });
    },
  ],
  [
    'prompt.sources[0].part',
    '"phase-prompt"',
    (s) => {
      s.setPrompt({ sources: [{ text: '' } as never] });
    },
  ],
  [
    'prompt.told[0]',
    'null',
    (s) => {
      s.setPrompt({ told: [null as never] });
    },
  ],
  [
    'name',
    'missing',
    (s) => {
      s.setCondition(undefined as never, true);
    },
  ],
  [
    'met',
    'missing',
    (s) => {
      s.setCondition('page', undefined as never);
    },
  ],
  [
    'refusal',
    'missing',
    (s) => {
      s.withdrawTool('bash', undefined as never);
    },
  ],
  [
    'tools',
    'missing',
    (s) => {
      s.connectServer('maps', undefined as never);
    },
  ],
  [
    'tools[0].inputSchema',
    'is unknown',
    (s) => {
      s.connectServer('maps', [{ name: 'a', inputSchema: {} } as never]);
    },
  ],
  [
    'tools[0].parameters',
    'of type boolean',
    (s) => {
      s.connectServer('maps', [{ name: 'a', parameters: true as never }]);
    },
  ],
  [
    'instructions',
    'null',
    (s) => {
      s.connectServer('maps', [], null as never);
    },
  ],
  ['number', 'is "1"', (s) => s.recordUsage('1' as never, {})],
  ['usage', 'missing', (s) => s.recordUsage(1, undefined as never)],
  ['key', 'missing', (s) => s.setting(undefined as never)],
  ['path', 'missing', (s) => s.namePath(undefined as never)],
  [
    'text',
    'missing',
    (s) => {
      s.checkPaths('task', undefined as never);
    },
  ],
];

const settings: [string, string, object][] = [
  ['settings.kind', 'is "robot", not "agent" or "chat"', { kind: 'robot' }],
  ['settings.root', 'missing', { root: undefined }],
  ['settings.home', 'of type number', { home: 7 }],
  ['settings.overrides', 'of type number', { overrides: 7 }],
  ['settings.overrides', 'circular', { overrides: cyclic }],
  ['settings.overrides', 'BigInt', { overrides: { context: 1n } }],
  ['settings.overrides', 'toJSON', { overrides: { toJSON: () => undefined } }],
  ['settings.dialect', '"anthropic-messages" or "openai-responses"', { dialect: 'openai' }],
  ['settings.model', '`dialect`', { model: 'some-model' }],
  ['settings.start', 'null', { start: null }],
  ['settings.prompt', 'is "x"', { prompt: 'x' }],
  ['settings.prompt.sources[0].text', 'missing', { prompt: { sources: [{ part: 'preamble' }] } }],
  ['settings.prompt.told[0].kind', 'missing', { prompt: { told: [{}] } }],
  ['settings.tools', 'of type object', { tools: {} }],
  ['settings.tools[1]', 'is "bash"', { tools: [{ name: 'a' }, 'bash'] }],
  ['settings.tools[0].name', 'missing', { tools: [{}] }],
  ['settings.tools[0].definition', 'of type number', { tools: [{ name: 'a', definition: 1 }] }],
  ['settings.tools[0].requires[0]', 'null', { tools: [{ name: 'a', requires: [null] }] }],
  ['settings.tools[0].kinds[0]', '"agent" or "chat"', { tools: [{ name: 'a', kinds: ['b'] }] }],
  ['settings.recall', 'is "yes"', { recall: 'yes' }],
  ['settings.vision', 'of type number', { vision: 0 }],
  ['settings.onlyTools', 'is "bash"', { onlyTools: 'bash' }],
  ['settings.withoutTools[0]', 'of type number', { withoutTools: [1] }],
  ['settings.conditions[0]', 'missing', { conditions: new Array<string>(1) }],
];

describe('an argument of the wrong kind is named', () => {
  it.each([...results, ...conversations])('%s: %s', async (argument, problem, work) => {
    const session = await open();
    const detail = detailOf(() => work(session));
    expect(detail).toMatchObject({ code: 'invalid-argument', argument });
    expect(detail).toHaveProperty('problem', expect.stringContaining(problem));
    // It never came to the component.
    expect(session.insertResult(call(), { output: '' }).id).toBe('#0001');
  });

  it.each(settings)('%s: %s', async (argument, problem, given) => {
    const hosts = { storage: new MemoryStorage(), filesystem: new MemoryTree() };
    const opening = Session.open('x', { root: ROOT, ...given }, hosts);
    await expect(opening).rejects.toMatchObject({
      name: 'WaybreadError',
      detail: {
        code: 'invalid-argument',
        argument,
        problem: expect.stringContaining(problem) as string,
      },
    });
    expect(hosts.storage.readLog('x', 0)).toEqual([]);
  });

  it('and so are hosts', async () => {
    const hosts = { storage: new MemoryStorage(), filesystem: new MemoryTree() };
    const opened = (given: object) => Session.open('x', { root: ROOT }, given as never);
    await expect(opened({ ...hosts, storage: {} })).rejects.toThrow(
      '`storage` has no method `append`',
    );
    await expect(opened({ storage: hosts.storage })).rejects.toThrow('`filesystem` is missing');
    await expect(opened({ ...hosts, files: {} })).rejects.toThrow('`hosts.files` is unknown');
  });
});

it('a key that is undefined counts as left out', async () => {
  const outcome = { output: undefined, failure: 'no' } as never;
  const session = await open({}, { home: undefined, dialect: undefined, onlyTools: undefined });
  expect(session.insertResult(call(), outcome).text).toBe('[#0001]\nno');
});
