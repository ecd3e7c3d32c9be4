/** The README's examples print what it says they print. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from './helpers/folder.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const README = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
const EXAMPLES = [...README.matchAll(/```js\n(.*?)```\n\n```text\n(.*?)```/gs)];

/**
 * Stands in for a provider: a reply that reads a file, then one that says what is in it; where it is asked
 * for a summary, that. The provider of small models is out of order.
 */
function answer(): void {
  const read = { name: 'read', arguments: '{"path":"a.ts"}' };
  const messages = [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: '1', type: 'function', function: read }],
    },
    { role: 'assistant', content: 'One constant.' },
  ];
  const summary = { role: 'assistant', content: 'The person gave a long text.' };
  globalThis.fetch = (url, init) => {
    if (typeof url === 'string' && url.startsWith('http://small:')) {
      return Promise.resolve(new Response('out of order', { status: 503 }));
    }
    const body = typeof init?.body === 'string' ? init.body : '';
    const isSummary = body.includes('Write a summary of this conversation');
    const usage = { prompt_tokens: 100, completion_tokens: 10 };
    const response = { choices: [{ message: isSummary ? summary : messages.shift() }], usage };
    return Promise.resolve(Response.json(response));
  };
}

const PROVIDER = `data:text/javascript,${encodeURIComponent(`(${String(answer)})()`)}`;

it('has examples', () => {
  expect(EXAMPLES).toHaveLength(7);
});

it.each(EXAMPLES.map(([, code = '', printed = '']) => [code, printed]))(
  'example %$',
  (code, printed) => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, 'node_modules'));
    symlinkSync(ROOT, path.join(folder, 'node_modules', 'waybread'));
    const given = ['--import', PROVIDER, '--input-type=module', '--eval', code];
    const answer = execFileSync(process.execPath, given, {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(answer).toBe(printed);
  },
);
