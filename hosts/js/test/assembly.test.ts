/** The prompt's sources, skills, snapshots and the context report, as this host hands them on. */
import { describe, expect, it } from 'vitest';
import { diagnose, load, MemoryTree, type File } from '../src/index.js';
import { DIALECTS, PARAMETERS, replyOf, step } from './helpers/conversation.js';
import { detailOf, open, thrownBy } from './helpers/session.js';

const CHAT = { dialect: 'openai-chat', recall: false } as const;

/** Files, and the paths of those that were read. */
class Watched extends MemoryTree {
  readonly reads: string[] = [];

  override read(path: string): File {
    this.reads.push(path);
    return super.read(path);
  }
}

describe('an assembly', () => {
  const assembly = {
    scope: 'one',
    instructions: true,
    contextFiles: ['notes.md', 'ignored.md'],
    ignore: ['ignored.md'],
    skillRoots: ['skills'],
    skills: ['review'],
  };
  const files = {
    '/work/app/AGENTS.md': 'Be kind.',
    '/work/app/notes.md': 'ä'.repeat(5000),
    '/work/app/ignored.md': 'no',
    '/work/app/skills/review/SKILL.md': 'Read all.',
    '/work/app/other.md': 'Other.',
  };

  it('is read as it is told, and its blocks are told', async () => {
    const session = await open({ filesystem: new MemoryTree(files) }, { ...CHAT, assembly });
    const blocks = session.promptReport();
    expect(blocks).toContainEqual({
      part: 'project-context',
      name: 'notes.md',
      zone: 'user',
      bytes: 8000,
      givenBytes: 10_000,
      truncated: true,
    });
    const told = blocks.map(({ part, name, zone }) => [part, name, zone]);
    expect(told).toContainEqual(['project-instructions', 'AGENTS.md', 'system']);
    expect(told).toContainEqual(['skill', 'review', 'user']);
    expect(told).toContainEqual([undefined, 'skills', 'user']);
    expect(told.flat()).not.toContain('ignored.md');
  });

  it('is read again for another model, and not for the same one', async () => {
    const filesystem = new Watched(files);
    const session = await open({ filesystem }, { ...CHAT, assembly });
    session.addMessage({ user: { text: 'hello' } });
    session.buildRequest({ model: 'one' });
    session.setAssembly({ ...assembly, contextFiles: ['other.md'] });
    filesystem.reads.length = 0;
    expect(session.buildRequest({ model: 'one' }).body).not.toContain('Other.');
    expect(filesystem.reads).toEqual([]);
    expect(session.buildRequest({ model: 'two' }).body).toContain('Other.');
    expect(filesystem.reads).toContain('/work/app/other.md');
  });

  it('fails with what the filesystem threw', async () => {
    const filesystem = new MemoryTree();
    filesystem.breakWith('/work/app/notes.md', 'the disk is gone');
    const error = await open({ filesystem }, { ...CHAT, assembly }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({
      detail: { code: 'filesystem', path: '/work/app/notes.md' },
      cause: { message: 'the disk is gone' },
    });
  });
});

describe('a skill', () => {
  it('is told with the next message, and taken back with another', async () => {
    const session = await open({}, CHAT);
    expect(session.enableSkill('review', 'Read all.')).toBeUndefined();
    expect(session.skills()).toEqual([{ name: 'review', enabled: true, active: false }]);
    const { number, skills } = session.addMessage({ user: { text: 'hello' } });
    expect(skills).toEqual([{ name: 'review', active: true }]);
    const [message] = session.conversation();
    expect(message).toMatchObject({ number, given: 'hello' });
    expect(message?.text).toMatch(/Read all\.[^]*\n\nhello$/);
    session.disableSkill('review');
    session.addMessage({ reply: { json: replyOf('openai-chat', 'hi') } });
    expect(session.addMessage({ user: { text: 'bye' } }).skills).toEqual([
      { name: 'review', active: false },
    ]);
    expect(session.skills()).toEqual([]);
  });

  it('is cut, or read from the roots', async () => {
    const filesystem = new MemoryTree({ '/home/one/skills/review/SKILL.md': 'Read all.' });
    const given = { ...CHAT, home: '/home/one', assembly: { skillRoots: ['~/skills'] } };
    const session = await open(
      { filesystem },
      { ...given, overrides: { assembly: { skill_bytes: 9 } } },
    );
    expect(session.enableSkill('review')).toBeUndefined();
    expect(session.enableSkill('other', '0123456789')).toEqual({ bytes: 10, cap: 9 });
    expect(detailOf(() => session.enableSkill('absent'))).toMatchObject({ argument: 'name' });
    expect(
      detailOf(() => {
        session.disableSkill('absent');
      }),
    ).toMatchObject({ argument: 'name' });
  });
});

describe.each(DIALECTS)('in %s', (dialect) => {
  it('snapshots tell where requests part', async () => {
    const session = await open({}, { ...CHAT, dialect });
    session.addMessage({ user: { text: 'hello' } });
    session.buildRequest(PARAMETERS);
    const before = session.snapshot();
    const kept = structuredClone(before);
    step(session, dialect, 'files');
    session.buildRequest(PARAMETERS);
    expect(before).toEqual(kept);
    const now = session.snapshot();
    expect(now).toMatchObject({ request: 2, maxTokens: 100 });
    const { length } = before.messages;
    const diagnosis = await diagnose(before, now);
    expect(diagnosis).toMatchObject({ predecessorKnown: true, shared: length, earlier: length });
    expect(diagnosis.differsAt).toBeUndefined();
    // They may have been kept as JSON.
    const [a, b] = [before, now].map((one) => JSON.parse(JSON.stringify(one)) as typeof now);
    const waybread = await load();
    expect(waybread.diagnose(a, b ?? now)).toEqual(diagnosis);
    expect(waybread.diagnose(undefined, now)).toMatchObject({
      predecessorKnown: false,
      earlier: 0,
    });
    const [first, ...rest] = now.messages;
    const other = { ...now, messages: [{ ...first, role: 'user', hash: '00000000' }, ...rest] };
    expect(waybread.diagnose(before, other)).toMatchObject({ shared: 0, prefix: '' });
  });

  it('a report adds up to the next request', async () => {
    const tools = [{ name: 'bash', parameters: { type: 'object', properties: {} } }];
    const session = await open({}, { dialect, tools });
    session.addMessage({ user: { text: 'hello "ä"' } });
    step(session, dialect, 'one\n'.repeat(99));
    const report = session.contextReport(PARAMETERS);
    const { length, pressure } = session.buildRequest(PARAMETERS);
    expect(report).toMatchObject({ bytes: length, pressure });
    expect(report.parts.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(length);
    const results = report.parts.find(({ kind }) => kind === 'results');
    expect(results).toMatchObject({ name: 'bash', count: 1 });
    expect(report.biggest).toEqual([
      { id: '#0001', tool: 'bash', bytes: results?.bytes, tokens: results?.tokens },
    ]);
  });
});

describe('a snapshot that is none', () => {
  const snapshot = { request: 1, messages: [], promptBytes: 0, blocksBytes: 0, toolsBytes: 0 };

  it.each([
    ['later', null],
    ['later.request', { ...snapshot, request: -1 }],
    ['later.messages', { ...snapshot, messages: 'none' }],
    ['later.messages[0].hash', { ...snapshot, messages: [{ role: 'user' }] }],
    [
      'later.messages[0].message',
      { ...snapshot, messages: [{ role: '', hash: '', message: 'x' }] },
    ],
    ['later.maxTokens', { ...snapshot, maxTokens: 0.5 }],
    ['later.tokens', { ...snapshot, tokens: 1 }],
  ])('is refused: %s', async (argument, given) => {
    const waybread = await load();
    const work = () => waybread.diagnose(snapshot, given as typeof snapshot);
    expect(detailOf(work)).toMatchObject({ code: 'invalid-argument', argument });
    await expect(diagnose(undefined, given as typeof snapshot)).rejects.toThrow(argument);
  });

  it('is not made without a request', async () => {
    const session = await open({}, CHAT);
    expect(thrownBy(() => session.snapshot())).toMatchObject({ code: 'out-of-order' });
    expect(thrownBy(() => session.contextReport())).toMatchObject({ code: 'out-of-order' });
  });
});
