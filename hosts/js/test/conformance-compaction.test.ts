/** The runner's lines of a compaction, whose keys are in the contract's order. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from './helpers/folder.js';

const RUNNER = fileURLToPath(new URL('conformance.mjs', import.meta.url));

/** What the lines hold after the case and the step, of a chat that says one thing. */
function answersTo(steps: string): string[] {
  const file = path.join(temporaryFolder(), 'cases.json');
  const reply = `{"role": "assistant", "content": [${'{"type": "text", "text": "hi"},'.repeat(300)}
    {"type": "text", "text": "hi"}]}`;
  const before = `{"do": "add-message", "user": {"text": "hello"}},
    {"do": "add-message", "reply": {"json": ${reply}}}`;
  writeFileSync(
    file,
    `{"area": "own", "cases": [{"name": "n", "rule": "§7", "settings": {"dialect": "openai-chat"},
      "steps": [${before}, ${steps}]}]}`,
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, [RUNNER, file], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const lines = stdout.trimEnd().split('\n').slice(2);
  return lines.map((line) => line.replace(/^\{"case":"n","step":\d+,(.*)\}$/, '$1'));
}

const ESTIMATE = /\{"tokens":(\d+),"raw":\1,"strategy":"weights","confidence":"low"\}/.source;
const PRESSURE = `\\{"estimate":${ESTIMATE},"window":0,"soft-limit":0,"hard-limit":0,"reserve":0,"margin":0,"used":\\d+,"fits":true,"action":"none","reason":null,"health":null\\}`;
const TEXT = '"(?:[^"\\\\]|\\\\.)*"';
const HEALTH = `\\{"severity":"info","state":"STATE","guidance":${TEXT}\\}`;

function health(state: string): string {
  return HEALTH.replace('STATE', state);
}

/** The second group of estimates would be numbered anew. */
function line(pattern: string): RegExp {
  return new RegExp(`^${pattern.replaceAll('(\\d+)', '\\d+').replaceAll('\\1', '\\d+')}$`);
}

it('pressure is told with a request and by itself', () => {
  const [pressure, request] = answersTo('{"do": "pressure"}, {"do": "build-request"}');
  expect(pressure).toMatch(line(`"value":${PRESSURE}`));
  expect(request).toMatch(
    line(
      `"request":\\{"number":1,"keep":0,"length":\\d+,"sha256":"\\w{64}","shared":0,"difference":null,"closed":\\[\\],"pressure":${PRESSURE},"body":${TEXT}\\}`,
    ),
  );
});

it('a compaction is begun and finished, and not begun again', () => {
  const [begun, finished, again, ...rest] = answersTo(`
    {"do": "compact-begin", "stage": "emergency", "steering": "all"},
    {"do": "compact-finish", "reply": {"role": "assistant", "content": "S", "2": 1.0, "1": 1},
     "state-retired": true, "pending-subagents": [{"id": "a", "kind": "b", "state": "c"}]},
    {"do": "compact-begin"},
    {"do": "lineage"}, {"do": "generation", "number": 3}, {"do": "history"}, {"do": "context-state"}`);
  expect(begun).toMatch(
    line(
      `"summary-request":\\{"stage":"emergency","keep":0,"length":\\d+,"sha256":"\\w{64}","estimate":${ESTIMATE},"max-tokens":0,"covers":2,"retains":0,"on-fallback":false,"fallback":null,"health":${health('compacting')},"body":${TEXT}\\}`,
    ),
  );
  expect(finished).toMatch(
    line(
      `"compacted":\\{"stage":"emergency","generation":2,"message":3,"summary":"S","text":${TEXT},"covered":2,"retained":0,"tokens-before":\\d+,"tokens-after":\\d+,"pressure":${PRESSURE},"health":${health('stable')},"fallback":null,"state-cleared":false,"warnings":\\[\\]\\}`,
    ),
  );
  expect(again).toMatch(
    line(
      `"not-applied":\\{"stage":"normal","reason":"[a-z-]+","message":${TEXT},"rerun-on-main":false,"fallback":null,"state-cleared":false\\}`,
    ),
  );
  expect(rest).toEqual([
    '"value":[{"number":1,"messages":2,"stage":null,"summary":null,"fallback":null},{"number":2,"messages":2,"stage":"emergency","summary":"S","fallback":null}]',
    expect.stringMatching(
      line(`"error":\\{"cause":"unknown-generation","message":${TEXT},"payload":3\\}`),
    ),
    '"value":""',
    '"value":{"recent-calls":[],"turns":1}',
  ]);
});

it('a fallback is asked, fails, and is passed over', () => {
  const here = '"provider": "here", "model": "big"';
  const [none, disabled, told, last, warm, cold, ...compactions] = answersTo(`
    {"do": "last-main-request"},
    {"do": "fallback-due", ${here}, "after-ms": 0, "now": 0},
    {"do": "main-request-answered", ${here}, "cache-key": "k", "at": 9007199254740991},
    {"do": "last-main-request"},
    {"do": "fallback-due", ${here}, "cache-key": "k", "after-ms": 1, "now": 9007199254740991},
    {"do": "fallback-due", ${here}, "after-ms": 1, "now": 9007199254740991},
    {"do": "compact-begin", "main": {${here}}, "target":
     {"fallback": {"provider": "there", "model": "small", "parameters": {"model": "small", "2": 1.0}}}},
    {"do": "compact-finish", "failed": "down"}`);
  expect([none, disabled, told, last, warm, cold]).toEqual([
    '"value":null',
    '"value":"disabled"',
    '"value":null',
    '"value":{"model":{"provider":"here","model":"big"},"cache-key":"k","at":9007199254740991}',
    '"value":"warm"',
    '"value":{"cold":"no recent request"}',
  ]);
  const [asked, failed] = compactions;
  expect(asked).toContain('"on-fallback":true,');
  // Spelled as the case spells it.
  expect(asked).toContain(String.raw`\"2\":1.0`);
  expect(failed).toMatch(
    line(
      `"not-applied":\\{"stage":"normal","reason":"failed","message":${TEXT},"rerun-on-main":true,"fallback":\\{"status":"skipped","model":"there/small","reason":${TEXT}\\},"state-cleared":false\\}`,
    ),
  );
});

it('a fallback that is not resolved is passed over', () => {
  const [unresolved, cancelled] = answersTo(`
    {"do": "compact-begin", "main": {"provider": "here", "model": "big"}, "target": {"unresolved": "no key"}},
    {"do": "compact-finish", "cancelled": true}`);
  expect(unresolved).toContain('"on-fallback":false,"fallback":{"status":"skipped","model":null,');
  expect(cancelled).toContain('"reason":"cancelled"');
});
