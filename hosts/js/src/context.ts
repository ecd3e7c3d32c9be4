/**
 * `waybread/context`: what fills a session's window, as JSON, as a table and as a page with a chart.
 *
 * `docs/context.md` has the JSON, `docs/assembly.md` the parts ("What fills the window"). It loads in Node
 * and in browsers; the command `waybread-context` is a thin one on it.
 *
 * @module
 */
import { json, string } from './arguments/check.js';
import { storage as storageOf } from './arguments/hosts.js';
import { contextReport } from './arguments/report.js';
import { compileAll, coreModule } from './component.js';
import { reportOnKept } from './context/look.js';
import { describe } from './errors.js';
import { payloadOf } from './failures.js';
import type * as Glue from './generated/interfaces/waybread-recordings-context-page.js';
import { instantiate } from './generated/recordings.js';
import { load } from './load.js';
import { once } from './once.js';
import type { Storage } from './ports.js';
import type { ContextReport, Json, Pressure } from './values.js';

/**
 * A context report as JSON, the same bytes in every host. `session` is the session's key.
 *
 * @throws {@link WaybreadError}: `invalid-argument` for a key that is no string, and for what is no report.
 */
export function contextJson(session: string, report: ContextReport): string {
  const key = string(session, 'session');
  const { bytes, pressure, parts, biggest } = contextReport(report);
  // The keys' order is part of the format.
  const named = {
    session: key,
    bytes,
    pressure: pressureOf(pressure),
    parts: parts.map((part) => {
      const { kind, name, count } = part;
      return { kind, name, count, bytes: part.bytes, tokens: part.tokens };
    }),
    biggest: biggest.map((result) => {
      const { id, tool } = result;
      return { id, tool, bytes: result.bytes, tokens: result.tokens };
    }),
  };
  return json(named, 'report');
}

function pressureOf({ estimate, window, softLimit, hardLimit, ...pressure }: Pressure) {
  const { tokens, strategy, confidence } = estimate;
  const { reserve, margin, action, reason = null } = pressure;
  const limits = { window, soft_limit: softLimit, hard_limit: hardLimit, reserve, margin };
  return { tokens, strategy, confidence, ...limits, action, reason };
}

/**
 * A context report as a terminal shows it, tables and sentences, without a newline at its end. `session` is
 * the session's key.
 *
 * Rejects as {@link contextJson} throws; with an `Error` where the report holds what no session tells.
 *
 * @example
 * ```ts
 * console.log(await contextTable('session-1', session.contextReport(parameters)));
 * ```
 */
export async function contextTable(session: string, report: ContextReport): Promise<string> {
  const told = contextJson(session, report);
  const glue = await glueOf();
  return shown(() => glue.table(told));
}

/**
 * A context report as an HTML page with a chart, light or dark as the reader's system is. Everything that it
 * shows is in it; it runs no script and loads nothing. `session` is the session's key.
 *
 * Rejects as {@link contextTable}.
 */
export async function contextPage(session: string, report: ContextReport): Promise<string> {
  const told = contextJson(session, report);
  const glue = await glueOf();
  return shown(() => glue.page(told));
}

/**
 * The report of a stored session of which only the key is known. Nothing is written to the storage.
 * `parameters` as {@link Session.contextReport} takes them.
 *
 * Rejects with a {@link WaybreadError}: `invalid-argument` for what is no storage, for a key that no session
 * has, and for parameters with another model than the newest request's, where the prompt would be made
 * again and not be the same: of what, only its harness knows; else as {@link Session.open} and
 * {@link Session.contextReport}.
 */
export async function storedContextReport(
  storage: Storage,
  key: string,
  parameters: Json = '',
): Promise<ContextReport> {
  const kept = storageOf(storage, 'storage');
  const [given, sent] = [string(key, 'key'), json(parameters, 'parameters')];
  return reportOnKept(await load(), kept, given, sent);
}

const FILES = {
  'recordings.core.wasm': new URL('./generated/recordings.core.wasm', import.meta.url),
};

const compiled = once(() => compileAll(FILES));

/** An instance for each report: nothing is kept of it. */
async function glueOf(): Promise<typeof Glue> {
  const modules = await compiled();
  return instantiate((name) => coreModule(modules, name), {}).contextPage;
}

/** What a session told is a report; so an error is of one that a caller made up, or a fault. */
function shown(work: () => string): string {
  try {
    return work();
  } catch (error) {
    const payload = payloadOf(error);
    const words = typeof payload === 'string' ? payload : describe(error);
    throw new Error(`the report cannot be shown: ${words}`, { cause: error });
  }
}
