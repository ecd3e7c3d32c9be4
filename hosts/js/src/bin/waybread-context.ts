#!/usr/bin/env node
/** Shows what fills a session's window. */
import { writeFileSync } from 'node:fs';
import { contextJson, contextPage, contextTable, storedContextReport } from '../context.js';
import { WaybreadError } from '../errors.js';
import { reason } from '../system-words.js';
import type { ContextReport } from '../values.js';
import { argumentsGiven, run, UsageError } from './command.js';
import { print } from './output.js';
import { keptSessions } from './sessions.js';

const USAGE = `Usage: waybread-context [OPTIONS] --sessions PATH SESSION

Shows what fills a session's window: each part of its next request in bytes and estimated tokens, and
the largest results. What is looked at is not changed.

  SESSION            the session's key; of a replayed one, the recording's name without its ending
  --sessions PATH    the folder that waybread-replay --sessions wrote, or a harness's SQLite file
  --parameters JSON  parameters of the request, as the harness sends them (those of the newest request
                     by default)
  --html FILE        write it as a page of its own, with a chart, to this file too
  --json             print the report as JSON
  --help             print this

Exit codes: 0 when it was shown, 1 when it could not be, 2 for wrong usage.
`;

const OPTIONS = {
  sessions: { type: 'string' },
  parameters: { type: 'string', default: '' },
  html: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

async function main(): Promise<number> {
  const { values, positionals } = argumentsGiven(OPTIONS);
  if (values.help) {
    await print(USAGE);
    return 0;
  }
  const { sessions, parameters, html, json } = values;
  if (sessions === undefined) throw new UsageError('--sessions is not given');
  if (sessions === '') throw new UsageError('the path of --sessions is empty');
  if (html === '') throw new UsageError('the path of --html is empty');
  const session = onlyOne(positionals);
  const report = await reportOn(session, sessions, parameters);
  if (html !== undefined) write(html, await contextPage(session, report));
  await print(`${json ? contextJson(session, report) : await contextTable(session, report)}\n`);
  return 0;
}

function onlyOne([session, ...more]: readonly string[]): string {
  if (session === undefined) throw new UsageError('no session is given');
  if (more.length > 0) throw new UsageError('one session is shown');
  return session;
}

async function reportOn(
  session: string,
  sessions: string,
  parameters: string,
): Promise<ContextReport> {
  const { file, storage } = await keptSessions(sessions);
  try {
    const keys = storage.sessions();
    if (!keys.includes(session)) throw new Error(`${file}: ${without(session, keys)}`);
    return await storedContextReport(storage, session, parameters);
  } catch (error) {
    if (!(error instanceof WaybreadError)) throw error;
    throw new Error(`${file}: session ${shown(session)}: ${error.message}`, { cause: error });
  } finally {
    storage.close();
  }
}

function without(session: string, keys: readonly string[]): string {
  const known = keys.length === 0 ? 'no session' : keys.map(shown).join(', ');
  return `holds ${known}, and no session ${shown(session)}`;
}

/** A key in backticks, its control characters escaped: a terminal would obey them. */
function shown(key: string): string {
  return `\`${key.replace(/\p{Cc}/gu, escaped)}\``;
}

/** As every host escapes it: a newline as `\n`, an escape as `\u{1b}`. */
function escaped(character: string): string {
  const known = { '\t': '\\t', '\n': '\\n', '\r': '\\r' }[character];
  return known ?? `\\u{${character.charCodeAt(0).toString(16)}}`;
}

function write(file: string, page: string): void {
  try {
    writeFileSync(file, page);
  } catch (error) {
    throw new Error(`${file}: cannot be written: ${reason(error)}`, { cause: error });
  }
}

await run({ name: 'waybread-context', usage: USAGE, failed: 1, main });
