/** The command `waybread-context`, as it is built. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { contextJson, contextPage, contextTable } from '../src/context.js';
import { replyOf } from './helpers/conversation.js';
import { temporaryFolder } from './helpers/folder.js';
import { open } from './helpers/session.js';
import { SqliteStorage } from '../src/sqlite.js';

const COMMAND = fileURLToPath(new URL('../dist/bin/waybread-context.js', import.meta.url));
const REPLAY = fileURLToPath(new URL('../dist/bin/waybread-replay.js', import.meta.url));
const FIXTURES = fileURLToPath(new URL('../../../recordings/tests/fixtures/', import.meta.url));

/** In the words of every host. */
const NO_FILE = 'no such file; name a file of sessions, or the folder that replay --sessions wrote';

function node(...given: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, given, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

function run(...given: string[]) {
  return node(COMMAND, ...given);
}

/** A harness's own file, with one session, and that session. */
async function stored() {
  const file = path.join(temporaryFolder(), 'own.sqlite');
  const storage = new SqliteStorage(file);
  const session = await open({ storage }, { dialect: 'anthropic-messages' });
  session.addMessage({ user: { text: 'hello' } });
  session.buildRequest({ model: 'one' });
  session.addMessage({ reply: { json: replyOf('anthropic-messages', 'hi') } });
  const report = session.contextReport();
  storage.close();
  return { file, report };
}

describe('waybread-context', () => {
  it('prints the table or JSON, and writes the page', async () => {
    const { file, report } = await stored();
    const html = path.join(temporaryFolder(), 'window.html');
    const table = await contextTable('session', report);
    const given = ['--sessions', file, 'session'];
    expect(run(...given)).toEqual({ status: 0, stdout: `${table}\n`, stderr: '' });
    expect(run(...given, '--html', html).stdout).toBe(`${table}\n`);
    expect(readFileSync(html, 'utf8')).toBe(await contextPage('session', report));
    const json = `${contextJson('session', report)}\n`;
    expect(run(...given, '--json')).toEqual({ status: 0, stdout: json, stderr: '' });
    expect(run(...given, '--json', '--parameters', '{"model":"one"}').stdout).toBe(json);
  });

  it('shows a replayed session, whose parts add up', () => {
    const folder = path.join(temporaryFolder(), 'kept');
    const recording = path.join(FIXTURES, 'cc-14-sidechain.jsonl');
    expect(node(REPLAY, '--quiet', '--sessions', folder, recording).status).toBe(0);
    for (const key of ['cc-14-sidechain', 'cc-14-sidechain/subagent 1']) {
      const { status, stdout } = run('--sessions', folder, '--json', key);
      expect(status).toBe(0);
      const report = JSON.parse(stdout) as { bytes: number; parts: { bytes: number }[] };
      expect(report.bytes).toBeGreaterThan(4000);
      expect(report.parts.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(report.bytes);
    }
  });

  it('ends with 1 where it can not be shown, and says why', async () => {
    const { file } = await stored();
    const folder = temporaryFolder();
    const none = path.join(folder, 'none.json');
    writeFileSync(none, '{"no": "database"}'.repeat(99));
    const page = path.join(folder, 'no', 'folder', 'x.html');
    mkdirSync(path.join(folder, 'empty'));
    for (const [given, problem] of [
      [[file, 'other'], `${file}: holds \`session\`, and no session \`other\``],
      [[`${file}-not`, 'session'], `${file}-not: ${NO_FILE}`],
      [[path.join(file, 'below'), 'session'], `${path.join(file, 'below')}: ${NO_FILE}`],
      [
        [path.join(folder, 'empty'), 'session'],
        `${path.join(folder, 'empty', 'sessions.db')}: ${NO_FILE}`,
      ],
      [[none, 'session'], `${none}: file is not a database`],
      [[file, 'session', '--html', page], `${page}: cannot be written: No such file or directory`],
      [[file, 'session', '--parameters', '{'], `${file}: session \`session\`: `],
    ] as const) {
      const { status, stdout, stderr } = run('--sessions', ...given);
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr.startsWith(`waybread-context: ${problem}`), stderr).toBe(true);
    }
    expect(existsSync(`${file}-not`)).toBe(false);
  });

  it('prints no control characters of a key', () => {
    const file = path.join(temporaryFolder(), 'own.sqlite');
    const storage = new SqliteStorage(file);
    for (const key of ['\u001b[2J\n\u009b', `${'x'.repeat(80)}\n`]) {
      storage.append(key, 0, ['record'], []);
    }
    storage.close();
    const { status, stderr } = run('--sessions', file, '\u001b[31m');
    expect(status).toBe(1);
    expect(stderr.trimEnd()).not.toMatch(/\p{Cc}/u);
    const [first, long] = [String.raw`\u{1b}[2J\n\u{9b}`, `${'x'.repeat(80)}\\n`];
    const sought = String.raw`\u{1b}[31m`;
    expect(stderr).toContain(`holds \`${first}\`, \`${long}\`, and no session \`${sought}\``);
  });

  it('ends with 2 for wrong usage, and says what is right', () => {
    const sessions = ['--sessions', 'x'];
    for (const given of [
      [],
      sessions,
      ['session'],
      [...sessions, 'a', 'b'],
      ['--sessions', '', 'a'],
      [...sessions, '--html', '', 'a'],
      ['--wrong'],
    ]) {
      const { status, stdout, stderr } = run(...given);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toContain('Usage: waybread-context');
      expect(stderr).toMatch(/\n\nFor more information, try '--help'\.\n$/);
      expect(stderr).not.toContain('Exit codes');
    }
    expect(run('--help')).toMatchObject({ status: 0, stderr: '' });
  });
});
