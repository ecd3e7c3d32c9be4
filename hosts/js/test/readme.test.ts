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

it('has examples', () => {
  expect(EXAMPLES).toHaveLength(2);
});

it.each(EXAMPLES.map(([, code = '', printed = '']) => [code, printed]))(
  'example %$',
  (code, printed) => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, 'node_modules'));
    symlinkSync(ROOT, path.join(folder, 'node_modules', 'waybread'));
    const answer = execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(answer).toBe(printed);
  },
);
