#!/usr/bin/env node
/** Puts recorded agent sessions through the rules, and reports what that would have saved. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { optional } from '../arguments/check.js';
import { replay, type FailedFile, type ReplayOptions } from '../replay.js';
import { Names } from '../replay/names.js';
import { PRESETS, RANGES, type Preset, type Range } from '../replay/window.js';
import { reason } from '../system-words.js';
import { argumentsGiven, run, UsageError } from './command.js';
import { recordings } from './files.js';
import { print } from './output.js';
import { newSessions } from './sessions.js';

const USAGE = `Usage: waybread-replay [OPTIONS] FILES...

Puts recorded agent sessions through the rules, and reports what that would have saved; builds every
request of theirs under Waybread and under four policies that people use, and reports how much of
them a server has to read again.

  FILES          recorded sessions; a folder is searched for .json, .jsonl, .ndjson and .traj files
  --json         print the report as JSON
  --out DIR      write what the model would have been shown to this folder, a file a session
  --shell-reads  put plain shell reads (cat F, sed -n 'A,Bp' F, …) through the rules as reads
  --window N     replay with a window of N tokens, in which sessions are compacted (4000 to 10000000)
  --preset NAME  with a window: the rules' preset, context-hygiene (the default) or steiner
  --summary-tokens N
                 with a window: how long a stand-in summary is, in tokens (1 to 3072; 800 by default)
  --sessions DIR keep the replayed sessions in this folder, for waybread-context and every host
  --quiet        print no tables: errors alone, and the JSON with --json
  --help         print this

Exit codes: 0 when everything was replayed, 1 when a file or a result could not be (the rest went
on), 2 for wrong usage.
`;

const OPTIONS = {
  json: { type: 'boolean', default: false },
  out: { type: 'string' },
  'shell-reads': { type: 'boolean', default: false },
  window: { type: 'string' },
  preset: { type: 'string' },
  'summary-tokens': { type: 'string' },
  sessions: { type: 'string' },
  quiet: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

async function main(): Promise<number> {
  const { values, positionals } = argumentsGiven(OPTIONS);
  if (values.help) {
    await print(USAGE);
    return 0;
  }
  if (positionals.length === 0) throw new UsageError('no files are given');
  if (positionals.includes('')) throw new UsageError('the path of a file is empty');
  if (values.out === '') throw new UsageError('the path of --out is empty');
  if (values.sessions === '') throw new UsageError('the path of --sessions is empty');
  const kept = values.sessions === undefined ? undefined : await newSessions(values.sessions);
  const { report, json, summary } = await replay(recordings(positionals), {
    shellReads: values['shell-reads'],
    ...windowOf(values),
    storage: kept?.storage,
    onSession: values.out === undefined ? undefined : writerTo(values.out),
  });
  kept?.storage.close();
  report.failed_files.forEach(complainOf);
  if (values.json) await print(`${json}\n`);
  else if (!values.quiet && summary !== '') await print(`${summary}\n`);
  return report.failed_files.length === 0 && report.total.errors === 0 ? 0 : 1;
}

interface WindowValues {
  readonly window?: string | undefined;
  readonly preset?: string | undefined;
  readonly 'summary-tokens'?: string | undefined;
}

function windowOf({ window, preset, 'summary-tokens': tokens }: WindowValues): ReplayOptions {
  if (window === undefined) {
    if (preset !== undefined) throw new UsageError('--preset needs --window');
    if (tokens !== undefined) throw new UsageError('--summary-tokens needs --window');
    return {};
  }
  return {
    window: numberOf('--window', window, RANGES.window),
    ...optional('preset', preset, presetOf),
    ...optional('summaryTokens', tokens, (given) =>
      numberOf('--summary-tokens', given, RANGES.summaryTokens),
    ),
  };
}

function presetOf(given: string): Preset {
  const preset = PRESETS.find((name) => name === given);
  if (preset !== undefined) return preset;
  throw new UsageError(`--preset is \`${given}\`, not one of ${PRESETS.join(', ')}`);
}

function numberOf(name: string, given: string, [least, most]: Range): number {
  const number = /^\d+$/.test(given) ? Number(given) : NaN;
  if (number >= least && number <= most) return number;
  const range = `a whole number from ${String(least)} to ${String(most)}`;
  throw new UsageError(`${name} is \`${given}\`, not ${range}`);
}

/** Of two sessions with one name, from different files, the second is `2~name`. */
function writerTo(folder: string): (name: string, lines: string) => void {
  makeFolder(folder);
  const names = new Names();
  return (session, lines) => {
    const file = path.join(folder, `${names.give(session)}.jsonl`);
    try {
      writeFileSync(file, lines);
    } catch (error) {
      throw new Error(`${file}: cannot be written: ${reason(error)}`, { cause: error });
    }
  };
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const isFile = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    const problem = isFile ? 'is not a folder, and --out needs one' : reason(error);
    throw new Error(`${folder}: ${problem}`, { cause: error });
  }
}

function complainOf({ file, error }: FailedFile): void {
  const line = error.line === undefined ? '' : `:${String(error.line)}`;
  process.stderr.write(`waybread-replay: ${file}${line}: ${error.message}\n`);
}

await run({ name: 'waybread-replay', usage: USAGE, failed: 1, main });
