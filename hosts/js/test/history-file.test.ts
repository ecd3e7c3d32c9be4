/** The history archive in a file: whole or not at all. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { writeHistory } from '../src/node.js';
import { temporaryFolder } from './helpers/folder.js';
import { detailOf } from './helpers/session.js';

const HISTORY = '## Person\n\nGröße, ␀ und 😀?\n';
const session = (text = HISTORY) => ({ history: () => text });

it('is written, and stands alone in its folder', () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'history.md');
  expect(writeHistory(session(), file)).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe(HISTORY);
  expect(readdirSync(folder)).toEqual(['history.md']);
  // As any file that a program writes, and not for its owner alone.
  const plain = path.join(temporaryFolder(), 'plain');
  writeFileSync(plain, '');
  expect(statSync(file).mode).toBe(statSync(plain).mode);
});

it('takes the place of what is there, which who has it open still reads', () => {
  const file = path.join(temporaryFolder(), 'history.md');
  writeFileSync(file, 'a much longer text that was there before\n'.repeat(9));
  const before = statSync(file).ino;
  expect(writeHistory(session(), file)).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe(HISTORY);
  expect(statSync(file).ino).not.toBe(before);
});

it('writes nothing where it is empty', () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'history.md');
  expect(writeHistory(session(''), file)).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
  writeFileSync(file, 'as it was');
  expect(writeHistory(session(''), file)).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe('as it was');
});

it('leaves nothing behind where it can not be written, and says why', () => {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'a folder', 'with a folder'), { recursive: true });
  const problems = [
    ['missing/history.md', 'No such file or directory'],
    ['a folder', 'Illegal operation on a directory'],
  ];
  for (const [name = '', problem = ''] of problems) {
    const file = path.join(folder, name);
    const write = () => writeHistory(session(), file);
    expect(detailOf(write)).toEqual({ code: 'filesystem', path: file, problem });
    expect(write).toThrow(`the history cannot be written to \`${file}\`: ${problem}`);
  }
  expect(readdirSync(folder)).toEqual(['a folder']);
});

// Whoever may do anything is refused nothing.
it.skipIf(process.getuid?.() === 0)('may not be written where nothing may', () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o500);
  expect(detailOf(() => writeHistory(session(), path.join(folder, 'history.md')))).toMatchObject({
    code: 'filesystem',
    problem: 'Permission denied',
  });
  chmodSync(folder, 0o700);
});
