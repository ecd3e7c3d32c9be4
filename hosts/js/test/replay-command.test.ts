/** The command `waybread-replay`, as it is built. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { replay, type Report } from '../src/replay.js';
import { temporaryFolder } from './helpers/folder.js';

const COMMAND = fileURLToPath(new URL('../dist/bin/waybread-replay.js', import.meta.url));
const FIXTURES = fileURLToPath(new URL('../../../recordings/tests/fixtures/', import.meta.url));
const TINY = path.join(FIXTURES, 'cc-12-tiny.jsonl');
const SEARCH = path.join(FIXTURES, 'cc-06-search-stub.jsonl');

function run(...given: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...given], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

function reportOf(json: string): Report {
  return JSON.parse(json) as Report;
}

describe('waybread-replay', () => {
  it('prints a table, and the report as JSON', async () => {
    const table = run(TINY, SEARCH);
    expect(table).toMatchObject({ status: 0, stderr: '' });
    expect(table.stdout).toMatch(
      /^Session +Results .*\n─+\ncc-12-tiny .*\ncc-06-search-stub .* %\n/,
    );
    expect(table.stdout).toMatch(/\n2 sessions .* %\n$/);
    const content = readFileSync(TINY, 'utf8');
    const { json } = await replay([{ name: 'cc-12-tiny.jsonl', content }]);
    expect(run('--json', TINY)).toEqual({ status: 0, stderr: '', stdout: `${json}\n` });
  });

  it('writes what the model would have been shown', () => {
    const out = path.join(temporaryFolder(), 'a', 'b');
    expect(run('--json', '--out', out, TINY, SEARCH, TINY).status).toBe(0);
    expect(readdirSync(out).sort()).toEqual([
      '2~cc-12-tiny.jsonl',
      'cc-06-search-stub.jsonl',
      'cc-12-tiny.jsonl',
    ]);
    const lines = readFileSync(path.join(out, 'cc-06-search-stub.jsonl'), 'utf8').split('\n');
    expect(lines.at(-1)).toBe('');
    expect(lines.join('\n')).toContain('"treatment":"same-result"');
  });

  it('searches a folder, in the order of names', () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, 'b'));
    writeFileSync(path.join(folder, 'b', 'x.jsonl'), readFileSync(TINY));
    writeFileSync(path.join(folder, 'c.jsonl'), readFileSync(TINY));
    writeFileSync(path.join(folder, 'a.jsonl'), readFileSync(TINY));
    writeFileSync(path.join(folder, 'notes.md'), 'no recording');
    const { report } = { report: reportOf(run('--json', folder).stdout) };
    expect(report.sessions.map(({ file }) => file)).toEqual(['a.jsonl', 'x.jsonl', 'c.jsonl']);
  });

  it('ends with 1 where a file could not be replayed, names it, and does the rest', () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'latin1.jsonl'), Buffer.from('{}\n{"a":"\xe9"}\n', 'latin1'));
    mkdirSync(path.join(folder, 'nothing'));
    const files = ['latin1.jsonl', 'missing.jsonl', 'nothing'].map((name) =>
      path.join(folder, name),
    );
    const { status, stdout, stderr } = run('--json', ...files, TINY);
    expect(status).toBe(1);
    expect(reportOf(stdout)).toMatchObject({
      files: 4,
      failed_files: [
        { file: 'latin1.jsonl', error: { line: 2, message: 'is not UTF-8' } },
        {
          file: 'missing.jsonl',
          error: { message: 'cannot be read: No such file or directory' },
        },
        {
          file: 'nothing',
          error: { message: 'the folder holds no recording (.json, .jsonl, .ndjson, .traj)' },
        },
      ],
    });
    expect(reportOf(stdout).sessions).toHaveLength(1);
    expect(stderr).toContain('waybread-replay: latin1.jsonl:2: is not UTF-8\n');
  });

  it('ends with 1 where it can not write', () => {
    const file = path.join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const { status, stderr } = run('--out', path.join(file, 'below'), TINY);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^waybread-replay: ENOTDIR/);
  });

  it('ends with 2 for wrong usage, and says what is right', () => {
    for (const given of [[], ['--wrong', TINY], ['--out']]) {
      const { status, stdout, stderr } = run(...given);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toContain('Usage: waybread-replay');
    }
    expect(run('--help')).toMatchObject({ status: 0, stderr: '' });
  });
});
