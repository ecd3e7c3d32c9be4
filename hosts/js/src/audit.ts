/**
 * `waybread/audit`: where two requests' prompts first differ, why, and how much had to be read again.
 *
 * Requests of any harness, in OpenAI chat completions, Anthropic messages or OpenAI responses.
 * `docs/audit.md` has the causes and what counts as the same. It loads in Node and in browsers; the
 * command `waybread-audit` is a thin one on it.
 *
 * @module
 */
import { json as jsonOf } from './arguments/check.js';
import type { Audit, AuditList } from './audit/answer.js';
import { AuditError } from './audit/error.js';
import { compileAll, coreModule } from './component.js';
import { describe } from './errors.js';
import { payloadOf } from './failures.js';
import type * as Glue from './generated/interfaces/waybread-recordings-audit.js';
import { instantiate } from './generated/recordings.js';
import { once } from './once.js';
import type { Json } from './values.js';

export type {
  Audit,
  AuditList,
  Breakpoints,
  CauseCount,
  Chars,
  InvalidThinking,
  ListTotal,
  Parameter,
  RequestAudit,
  Skipped,
} from './audit/answer.js';
export { AuditError } from './audit/error.js';

/** What came of an audit, for programs and for people. */
export interface Audited<T> {
  readonly audit: T;
  /** The same as JSON, the same bytes in every host. */
  readonly json: string;
  /** The same as text: what `waybread-audit` prints. */
  readonly text: string;
}

/**
 * Compares two request bodies, each best as the text that was sent. A value is compared as
 * `JSON.stringify` spells it.
 *
 * Rejects with an {@link AuditError} where one of them is no JSON, or no request body in one of the
 * three dialects; with a {@link WaybreadError}, `invalid-argument`, for what is neither text nor an
 * object.
 *
 * @example
 * ```ts
 * const { audit: found } = await audit(before, now);
 * if (found.broken) console.log(`${found.cause} at ${found.path}`);
 * ```
 */
export async function audit(previous: Json, next: Json): Promise<Audited<Audit>> {
  const [earlier, later] = [jsonOf(previous, 'previous'), jsonOf(next, 'next')];
  return answered(await load(), (glue) => glue.audit(earlier, later));
}

/**
 * Compares each request of a recorded list with the one before it.
 *
 * `content` is a JSON list or an object with one (`requests`, `entries`, `log.entries`, …), as text or
 * as a value, or JSON lines, as text. A record is a body, or holds one as JSON or as a string (`request`, `body`, `request.body`,
 * …).
 *
 * Rejects with an {@link AuditError} where it is no JSON, or holds fewer than two requests; with a
 * {@link WaybreadError}, `invalid-argument`, for what is neither text nor an object.
 */
export async function auditList(content: Json): Promise<Audited<AuditList>> {
  const list = jsonOf(content, 'content');
  return answered(await load(), (glue) => glue.auditList(list));
}

const FILES = {
  'recordings.core.wasm': new URL('./generated/recordings.core.wasm', import.meta.url),
};

const compiled = once(() => compileAll(FILES));

/** An instance for each audit: nothing is kept of a body. */
async function load(): Promise<typeof Glue> {
  const modules = await compiled();
  return instantiate((name) => coreModule(modules, name), {}).audit;
}

function answered<T>(glue: typeof Glue, work: (glue: typeof Glue) => string): Audited<T> {
  try {
    const json = work(glue);
    return { audit: JSON.parse(json) as T, json, text: glue.describe(json) };
  } catch (error) {
    throw auditError(error);
  }
}

function auditError(error: unknown): AuditError {
  const payload = payloadOf(error) as Glue.AuditError | undefined;
  const options = { cause: error };
  if (payload === undefined) {
    return new AuditError(undefined, `the audit stopped: ${describe(error)}`, options);
  }
  return new AuditError(payload.body, payload.message, options);
}
