#!/usr/bin/env node
/** Finds where a request's prompt no longer begins as the one before it, and why. */
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { audit, AuditError, auditList } from '../audit.js';
import { argumentsGiven, run, UsageError } from './command.js';
import { reason } from '../system-words.js';
import { print } from './output.js';

const USAGE = `Usage: waybread-audit [OPTIONS] LIST
       waybread-audit [OPTIONS] EARLIER LATER

Finds where a request's prompt no longer begins as the one before it, and why. Request bodies of any
harness are compared in the order in which their model reads them, in OpenAI chat completions,
Anthropic messages or OpenAI responses.

  LIST            a recorded list of requests: a JSON list or JSON lines of bodies, or of records
                  that hold one; - is standard input
  EARLIER LATER   two request bodies
  --json          print the audit as JSON
  --help          print this

Exit codes: 0 when each prompt begins with the whole one before it, 1 when one does not, 2 for
something that can't be compared and for wrong usage.
`;

const OPTIONS = {
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

async function main(): Promise<number> {
  const { values, positionals } = argumentsGiven(OPTIONS);
  if (values.help) {
    await print(USAGE);
    return 0;
  }
  const { json, text, broken } = await compare(positionals);
  await print(`${values.json ? json : text}\n`);
  return broken ? 1 : 0;
}

interface Answer {
  readonly json: string;
  readonly text: string;
  readonly broken: boolean;
}

async function compare(files: readonly string[]): Promise<Answer> {
  const [first, later, ...more] = files;
  if (first === undefined) throw new UsageError('no files are given');
  if (more.length > 0) throw new UsageError('one list or two bodies are compared');
  if (first === '-' && later === '-') {
    throw new UsageError('standard input can be only one of the bodies');
  }
  try {
    if (later === undefined) {
      const { audit: list, ...answer } = await auditList(await content(first));
      return { ...answer, broken: list.total.broken > 0 };
    }
    const { audit: found, ...answer } = await audit(await content(first), await content(later));
    return { ...answer, broken: found.broken };
  } catch (error) {
    if (!(error instanceof AuditError)) throw error;
    const file = error.body === 'next' && later !== undefined ? later : first;
    throw new Error(`${nameOf(file)}: ${error.problem}`, { cause: error });
  }
}

async function content(file: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await (file === '-' ? buffer(process.stdin) : readFile(file));
  } catch (error) {
    throw new Error(`${nameOf(file)}: cannot be read: ${reason(error)}`, { cause: error });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new Error(`${nameOf(file)}: is not UTF-8`, { cause: error });
  }
}

function nameOf(file: string): string {
  return file === '-' ? 'standard input' : file;
}

await run({ name: 'waybread-audit', usage: USAGE, failed: 2, main });
