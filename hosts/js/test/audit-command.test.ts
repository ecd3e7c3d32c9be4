/** The command `waybread-audit`, as it is built. */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { audit } from '../src/audit.js';
import { temporaryFolder } from './helpers/folder.js';

const COMMAND = fileURLToPath(new URL('../dist/bin/waybread-audit.js', import.meta.url));
const PAIR = new URL('../../../recordings/tests/audit/chat-date.pair', import.meta.url);
const [, BEFORE = '', NOW = ''] = readFileSync(PAIR, 'utf8').split('\n---\n');

function run(given: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...given], {
    encoding: 'utf8',
    input,
  });
  return { status, stdout, stderr };
}

function files() {
  const folder = temporaryFolder();
  const at = (name: string, content: string | Buffer) => {
    writeFileSync(path.join(folder, name), content);
    return path.join(folder, name);
  };
  return { before: at('a.json', BEFORE), now: at('b.json', NOW), at };
}

describe('waybread-audit', () => {
  it('prints text or JSON, and ends with 1 where a prompt is broken', async () => {
    const { before, now } = files();
    const { json, text } = await audit(BEFORE, NOW);
    expect(run([before, now])).toEqual({ status: 1, stdout: `${text}\n`, stderr: '' });
    const found = JSON.parse(run(['--json', before, now]).stdout) as { byte: number };
    expect(found).toEqual(JSON.parse(json));
    expect(run([before, before]).status).toBe(0);
  });

  it('takes a list, and standard input', () => {
    const { before, now } = files();
    const list = run(['-'], `[${BEFORE},${NOW}]`);
    expect(list).toMatchObject({ status: 1, stderr: '' });
    expect(list.stdout).toMatch(/^Request +Cause +Where/);
    expect(run(['-', now], BEFORE).status).toBe(1);
    expect(run([before, '-'], BEFORE).status).toBe(0);
  });

  it('ends with 2 where something can not be compared, and names it', () => {
    const { before, at } = files();
    const latin = at('latin.json', Buffer.from('"\xe9"', 'latin1'));
    const broken = at('broken.json', '{');
    for (const [given, problem] of [
      [[`${before}-not`, before], `${before}-not: cannot be read: No such file or directory`],
      [[before, latin], `${latin}: is not UTF-8`],
      [[before, broken], `${broken}: the body is not JSON: `],
      [[broken, before], `${broken}: the body is not JSON: `],
      [[before], `${before}: one request among 1 record, and it takes two`],
    ] as const) {
      const { status, stdout, stderr } = run(given);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr.startsWith(`waybread-audit: ${problem}`), stderr).toBe(true);
    }
  });

  it('ends with 2 for wrong usage, and says what is right', () => {
    for (const given of [[], ['--wrong'], ['-', '-'], ['a', 'b', 'c']]) {
      const { status, stdout, stderr } = run(given);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toContain('Usage: waybread-audit');
      expect(stderr).not.toContain('Exit codes');
    }
    expect(run(['--help'])).toMatchObject({ status: 0, stderr: '' });
  });

  it.skipIf(process.platform !== 'linux')('says that the output is full', () => {
    const { before } = files();
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [COMMAND, before, before], {
      encoding: 'utf8',
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: 'waybread-audit: the output cannot be written: No space left on device\n',
    });
  });
});
