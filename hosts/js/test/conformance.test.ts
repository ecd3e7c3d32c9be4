/** The conformance runner itself; `cargo xtask conformance` runs the cases with it. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from './helpers/folder.js';

const RUNNER = fileURLToPath(new URL('conformance.mjs', import.meta.url));

function run(...given: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [RUNNER, ...given], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

function transcriptOf(cases: string): string[] {
  const file = path.join(temporaryFolder(), 'cases.json');
  writeFileSync(file, `{"area": "own", "cases": [${cases}]}`);
  const { status, stdout, stderr } = run(file);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.trimEnd().split('\n');
}

describe('the runner', () => {
  it('writes a line for each step that answers', () => {
    const lines = transcriptOf(`{
      "name": "all", "rule": "§1", "files": {"/work/app/a.ts": ["x", {"repeat": "\\n", "times": 1}]},
      "steps": [
        {"do": "insert-result", "tool": "read", "read": {"path": "a.ts"}},
        {"do": "insert-result", "call": "call-1", "output": "again"},
        {"do": "write-file", "path": "/work/app/b", "content": {"base64": "/w=="}},
        {"do": "insert-result", "read": {"path": "b"}},
        {"do": "delete-file", "path": "/work/app/b"},
        {"do": "fail-storage", "error": {"other": "no disk"}},
        {"do": "insert-result", "output": "lost"},
        {"do": "reopen"},
        {"do": "stored-text", "id": "1"},
        {"do": "last-read", "path": "b"},
        {"do": "resolve-path", "path": "../x"}
      ]}`);
    expect(lines).toEqual([
      '{"case":"all","step":1,"inserted":{"id":"#0001","text":"[#0001 a.ts lines 1-1 of 1 sha 73cb3858]\\n1: x","treatment":"full","refers-to":null,"chars-in":45,"chars-out":45}}',
      expect.stringMatching(
        /^\{"case":"all","step":2,"error":\{"cause":"call-answered","message":".+","payload":\{"call":"call-1","id":"#0001"\}\}\}$/,
      ),
      expect.stringContaining('is not UTF-8 text: 1 bytes'),
      expect.stringMatching(
        /"payload":\{"operation":"append","error":\{"tag":"other","value":"no disk"\}\}\}\}$/,
      ),
      '{"case":"all","step":8,"value":null}',
      '{"case":"all","step":9,"value":"1: x"}',
      '{"case":"all","step":10,"value":null}',
      '{"case":"all","step":11,"value":"/work/x"}',
    ]);
  });

  it('hands JSON on as it is written, keys in order and numbers as spelled', () => {
    const step = (given: string) =>
      `{"do": "insert-result", "tool": "grep", "arguments": ${given}, "output": "x"}`;
    const lines = transcriptOf(`{"name": "json", "rule": "§6", "steps": [
      ${step('{"b": 1.0, "10": [true, null], "2": "é"}')},
      ${step('"{\\"2\\":\\"é\\",\\"10\\":[true,null],\\"b\\":1.0}"')},
      ${step('{"b": 1, "10": [true, null], "2": "é"}')}]}`);
    expect(lines.map((line) => /"treatment":"([^"]+)"/.exec(line)?.[1])).toEqual([
      'full',
      'same-result',
      'full',
    ]);
  });

  it('lets so many appends pass before one fails', () => {
    const lines = transcriptOf(`{"name": "after", "rule": "§1", "steps": [
      {"do": "fail-storage", "error": "full", "after": 1},
      {"do": "insert-result", "output": "one"},
      {"do": "insert-result", "output": "two"},
      {"do": "insert-result", "output": "three"}]}`);
    expect(lines.map((line) => line.includes('"inserted"'))).toEqual([true, false, true]);
    expect(lines[1]).toContain('"error":{"tag":"full"}');
  });

  it('gives a subagent its prompt, and what is read for it', () => {
    const lines = transcriptOf(`{"name": "sub", "rule": "§10.1",
      "settings": {"dialect": "openai-chat"}, "files": {"/work/app/map.md": "a map"},
      "steps": [
        {"do": "delegate", "key": "a", "kind": "finder",
         "prompt": {"sources": [{"part": "preamble", "text": "Look."}]},
         "assembly": {"context-files": ["map.md"]}},
        {"do": "prompt-report"}
      ]}`);
    expect(lines[0]).toBe('{"case":"sub","step":1,"value":null}');
    const names = [...(lines[1] ?? '').matchAll(/"part":"([^"]+)"/g)].map(([, part]) => part);
    expect(names).toEqual(['preamble', 'project-context']);
  });

  it('writes a session that can not be opened as step 0', () => {
    const [line] = transcriptOf(
      '{"name": "no", "rule": "§1", "settings": {"root": "relative"}, "expect-open": {}}',
    );
    expect(line).toMatch(/^\{"case":"no","step":0,"error":\{"cause":"invalid-argument"/);
  });

  it('says what it can not do', () => {
    expect(run()).toMatchObject({ status: 2, stdout: '' });
    const file = path.join(temporaryFolder(), 'broken.json');
    writeFileSync(file, '{"cases": [}');
    expect(run(file)).toMatchObject({ status: 1, stderr: expect.stringContaining(file) as string });
  });
});
