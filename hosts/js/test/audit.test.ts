import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { audit, AuditError, auditList } from '../src/audit.js';

const PAIRS = new URL('../../../recordings/tests/audit/', import.meta.url);

function pair(name: string): [previous: string, next: string] {
  const [, previous = '', next = ''] = read(name).split('\n---\n');
  return [previous, next.trimEnd()];
}

function read(name: string): string {
  return readFileSync(new URL(name, PAIRS), 'utf8');
}

const NAMES = readdirSync(PAIRS)
  .filter((name) => name.endsWith('.pair'))
  .sort();
const ANSWERS = read('answers.jsonl').trimEnd().split('\n');

describe('an audit', () => {
  it('has pairs to answer', () => {
    expect(NAMES.length).toBeGreaterThanOrEqual(24);
    expect(ANSWERS).toHaveLength(NAMES.length);
  });

  it.each(NAMES.map((name, at) => ({ name, answer: ANSWERS[at] })))(
    'answers $name as natively',
    async ({ name, answer }) => {
      const { audit: found, json } = await audit(...pair(name));
      expect(json).toBe(answer);
      expect(found).toEqual(JSON.parse(json));
    },
  );

  it('is told in words', async () => {
    const { text } = await audit(...pair('chat-date.pair'));
    expect(text).toMatch(/^cause +date: a date or a time changed\nwhere +system, messages/);
  });

  it('says what can not be compared', async () => {
    const [body] = pair('chat-append.pair');
    const next = await audit(body, '{').catch((error: unknown) => error);
    expect(next).toBeInstanceOf(AuditError);
    expect(next).toMatchObject({ body: 'next' });
    expect((next as AuditError).message).toMatch(/^the later body: the body is not JSON: EOF/);
    await expect(audit('[]', body)).rejects.toMatchObject({ body: 'previous' });
    const list = await auditList(body).catch((error: unknown) => error);
    expect(list).toMatchObject({ body: undefined });
    expect((list as AuditError).message).toContain('it takes two to compare');
  });

  it('takes values, as JSON spells them', async () => {
    const [previous, next] = pair('chat-append.pair').map((body) =>
      JSON.stringify(JSON.parse(body)),
    );
    const values = [JSON.parse(previous ?? ''), JSON.parse(next ?? '')] as [object, object];
    const asText = await audit(previous ?? '', next ?? '');
    expect(await audit(...values)).toEqual(asText);
    expect((await auditList(values)).audit.total.compared).toBe(1);
    // An object, and no request body.
    await expect(audit({}, {})).rejects.toMatchObject({ name: 'AuditError', body: 'previous' });
  });

  it.each([
    ['previous', 'is of type number, not an object or JSON text', () => audit(1 as never, '{}')],
    ['next', 'is missing', () => audit('{}', undefined as never)],
    ['next', 'is a Uint8Array, not an object', () => audit('{}', new Uint8Array(1))],
    ['content', 'is null', () => auditList(null as never)],
  ])('names an argument of the wrong kind: %s %s', async (argument, problem, work) => {
    await expect(work()).rejects.toMatchObject({
      detail: {
        code: 'invalid-argument',
        argument,
        problem: expect.stringContaining(problem) as string,
      },
    });
  });

  it('reads lone surrogates', async () => {
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'a\ud83d' }] });
    const { audit: found } = await audit(body, body.replace('\\ud83d', '\ud83d'));
    expect(found.broken).toBe(false);
  });
});

describe('an audit of a list', () => {
  it('compares each request with the one before it', async () => {
    const [first, second] = pair('chat-append.pair');
    const [, third] = pair('chat-date.pair');
    const list = `[${first},{"request":{"body":${second}}},{},${third}]`;
    const { audit: found, json, text } = await auditList(list);
    expect(found.audits.map(({ request, after }) => [request, after])).toEqual([
      [1, 0],
      [3, 1],
    ]);
    expect(found.audits.map(({ cause }) => cause)).toEqual(['append', 'date']);
    expect(found.skipped.map(({ request }) => request)).toEqual([2]);
    expect(found.total).toMatchObject({ compared: 2, broken: 1 });
    expect(JSON.parse(json)).toEqual(found);
    expect(text).toMatch(/^Request +Cause +Where/);
  });
});
