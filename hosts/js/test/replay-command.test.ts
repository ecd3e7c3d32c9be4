/** The command `waybread-replay`, as it is built. */
import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { replay, type Report } from '../src/replay.js';
import { SqliteStorage } from '../src/sqlite.js';
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
  it('prints tables, and the report as JSON', async () => {
    const tables = run(TINY, SEARCH);
    expect(tables).toMatchObject({ status: 0, stderr: '' });
    expect(tables.stdout).toMatch(
      /^ Session +Results [^]*\n cc-12-tiny .*\n cc-06-search-stub .* %\n/,
    );
    expect(tables.stdout).toMatch(/\n 2 sessions .* %\n/);
    expect(tables.stdout).toMatch(/\n waybread +13 /);
    const content = readFileSync(TINY, 'utf8');
    const { json, summary } = await replay([{ name: 'cc-12-tiny.jsonl', content }]);
    expect(run('--json', TINY)).toEqual({ status: 0, stderr: '', stdout: `${json}\n` });
    expect(run(TINY)).toEqual({ status: 0, stderr: '', stdout: `${summary}\n` });
  });

  it('prints errors alone with --quiet, and the report with --json', () => {
    expect(run('--quiet', TINY)).toEqual({ status: 0, stderr: '', stdout: '' });
    expect(run('--quiet', '--json', TINY).stdout).toBe(run('--json', TINY).stdout);
    const absent = run('--quiet', path.join(FIXTURES, 'absent.json'));
    expect(absent).toMatchObject({ status: 1, stdout: '' });
    expect(absent.stderr).toContain('absent.json: cannot be read');
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

  it('keeps the sessions in a folder, which holds none yet', () => {
    const folder = path.join(temporaryFolder(), 'a', 'b');
    const plain = run('--json', TINY);
    expect(run('--json', '--sessions', folder, TINY)).toEqual(plain);
    const storage = SqliteStorage.readonly(path.join(folder, 'sessions.db'));
    expect(storage.sessions()).toEqual(['cc-12-tiny']);
    storage.close();
    const again = run('--sessions', folder, TINY);
    expect(again).toMatchObject({ status: 1, stdout: '' });
    expect(again.stderr).toContain('sessions.db: holds sessions already; name another folder');
    expect(run('--sessions', '', TINY).status).toBe(2);
    const inFile = run('--sessions', path.join(folder, 'sessions.db', 'x'), TINY);
    expect(inFile).toMatchObject({ status: 1, stdout: '' });
    expect(inFile.stderr).toContain('Not a directory');
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

  it('passes over links in a folder that lead nowhere or round in a circle', () => {
    const folder = temporaryFolder();
    const at = (name: string) => path.join(folder, name);
    writeFileSync(at('a.jsonl'), readFileSync(TINY));
    symlinkSync('a.jsonl', at('b.jsonl'));
    symlinkSync('loop.jsonl', at('loop.jsonl'));
    symlinkSync('nowhere', at('dangling.json'));
    const found = run('--json', folder);
    expect(found).toMatchObject({ status: 0, stderr: '' });
    expect(reportOf(found.stdout).sessions.map(({ file }) => file)).toEqual(['a.jsonl', 'b.jsonl']);
    const named = run('--json', at('loop.jsonl'), at('a.jsonl'));
    expect(named.status).toBe(1);
    expect(named.stderr).toBe(
      'waybread-replay: loop.jsonl: cannot be read: Too many levels of symbolic links\n',
    );
    expect(reportOf(named.stdout)).toMatchObject({
      sessions: [{ file: 'a.jsonl' }],
      failed_files: [{ file: 'loop.jsonl' }],
    });
  });

  it('gives the first name that is free', () => {
    const folder = temporaryFolder();
    const names = ['2~a.jsonl', 'a.jsonl', 'b/a.jsonl', 'b/2~a.jsonl'];
    mkdirSync(path.join(folder, 'b'));
    const files = names.map((name) => path.join(folder, name));
    for (const file of files) writeFileSync(file, readFileSync(TINY));
    const out = path.join(folder, 'out');
    const { sessions } = reportOf(run('--json', '--out', out, ...files).stdout);
    const given = ['2~a.jsonl', 'a.jsonl', '3~a.jsonl', '2~2~a.jsonl'];
    expect(sessions.map(({ file }) => file)).toEqual(given);
    expect(readdirSync(out)).toHaveLength(4);
  });

  it('prints no table where nothing was replayed', () => {
    const { status, stdout, stderr } = run(path.join(temporaryFolder(), 'missing'));
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toBe('waybread-replay: missing: cannot be read: No such file or directory\n');
  });

  it('ends with 1 where it can not write', () => {
    const file = path.join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const below = path.join(file, 'below');
    expect(run('--out', below, TINY)).toEqual({
      status: 1,
      stdout: '',
      stderr: `waybread-replay: ${below}: Not a directory\n`,
    });
    expect(run('--out', file, TINY)).toEqual({
      status: 1,
      stdout: '',
      stderr: `waybread-replay: ${file}: is not a folder, and --out needs one\n`,
    });
  });

  it.skipIf(process.platform !== 'linux')('says that the output is full', () => {
    const full = openSync('/dev/full', 'w');
    for (const given of [[TINY], ['--json', TINY], ['--help']]) {
      const { status, stderr } = spawnSync(process.execPath, [COMMAND, ...given], {
        encoding: 'utf8',
        stdio: ['ignore', full, 'pipe'],
      });
      expect(status).toBe(1);
      expect(stderr).toBe(
        'waybread-replay: the output cannot be written: No space left on device\n',
      );
    }
    const mute = spawnSync(process.execPath, [COMMAND, 'missing'], {
      stdio: ['ignore', 'pipe', full],
    });
    expect(mute.status).toBe(1);
    closeSync(full);
  });

  it('does not mind who stops to listen', async () => {
    const silent = spawn(process.execPath, [COMMAND, '--json', TINY]);
    silent.stdout.destroy();
    const said: Buffer[] = [];
    silent.stderr.on('data', (data: Buffer) => said.push(data));
    expect(await once(silent, 'close')).toEqual([0, null]);
    expect(Buffer.concat(said).toString()).toBe('');
    const deaf = spawn(process.execPath, [COMMAND, 'missing']);
    deaf.stdout.destroy();
    deaf.stderr.destroy();
    expect(await once(deaf, 'close')).toEqual([1, null]);
  });

  it('ends with 2 for wrong usage, and says what is right', () => {
    for (const given of [[], ['--wrong', TINY], ['--out'], ['--out', '', TINY], [''], [TINY, '']]) {
      const { status, stdout, stderr } = run(...given);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toMatch(
        /\n\nUsage: waybread-replay .*\n\nFor more information, try '--help'\.\n$/,
      );
    }
    expect(run('--help')).toMatchObject({ status: 0, stderr: '' });
  });
});
