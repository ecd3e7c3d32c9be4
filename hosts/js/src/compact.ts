/** A whole compaction, given something that sends a request for a summary. */
import { object, refuseKind } from './arguments/check.js';
import { describe, WaybreadError } from './errors.js';
import type { CompactingSession } from './session/compacting.js';
import type {
  Compacted,
  Compaction,
  CompactionEnd,
  FinishOptions,
  Json,
  NotApplied,
  PendingSubagent,
  Pressure,
  Stage,
  SummaryRequest,
} from './values.js';

/**
 * Sends a request for a summary, to the fallback where {@link SummaryRequest.onFallback} says so, and
 * answers the reply as `reply` of {@link SummaryOutcome}: best the text of the whole response.
 */
export type Send = (request: SummaryRequest) => Promise<Json>;

/** How a whole compaction is run. Each field may be left out. */
export interface CompactOptions extends Compaction {
  /**
   * The stage to begin with. Default: `emergency` where {@link Session.pressure} says so, else
   * `normal`.
   */
  readonly stage?: Stage | undefined;
  /** Asked after each reply and each failure. Default: a provider without state. */
  readonly stateRetired?: (() => boolean) | undefined;
  /** Asked after each reply. Default: none. */
  readonly pendingSubagents?: (() => readonly PendingSubagent[]) | undefined;
  /** Cancels. `send` has to listen to it too. */
  readonly signal?: AbortSignal | undefined;
}

const OPTIONS: readonly (keyof CompactOptions)[] = [
  'stage',
  'main',
  'parameters',
  'target',
  'steering',
  'stateRetired',
  'pendingSubagents',
  'signal',
];

/** How one request for a summary ended, or why there was none. */
export type CompactionAttempt = CompactionEnd & {
  /** What `send` threw. */
  readonly error?: unknown;
};

/** What came of a whole compaction. */
export interface CompactResult {
  /** The stages that came about, in order: none, one or two. */
  readonly applied: readonly Compacted[];
  /** Why the last stage did not come about; undefined if it did. */
  readonly notApplied?: NotApplied | undefined;
  /** How full the window is now: with `stop` nothing can be sent. */
  readonly pressure: Pressure;
  /** All attempts in order, at most four: a fallback's that failed is told here alone. */
  readonly attempts: readonly CompactionAttempt[];
}

type Compactable = Pick<CompactingSession, 'pressure' | 'compactBegin' | 'compactFinish'>;

/** Runs a compaction. A session has one at a time. */
export async function compact(
  session: Compactable,
  send: Send,
  options: CompactOptions,
): Promise<CompactResult> {
  check(send, options);
  let pressure = session.pressure(options.parameters);
  const { stage = pressure.action === 'emergency' ? 'emergency' : 'normal' } = options;
  const attempts = await perform(session, send, options, stage);
  pressure = session.pressure(options.parameters);
  if (stage === 'normal' && pressure.action === 'emergency') {
    attempts.push(...(await perform(session, send, options, 'emergency')));
    pressure = session.pressure(options.parameters);
  }
  const applied = attempts.flatMap((attempt) => attempt.applied ?? []);
  return { applied, notApplied: attempts.at(-1)?.notApplied, pressure, attempts };
}

/** A stage, once more on the main model if the fallback failed. */
async function perform(
  session: Compactable,
  send: Send,
  options: CompactOptions,
  stage: Stage,
): Promise<CompactionAttempt[]> {
  const { main, parameters, target, steering } = options;
  const compaction = { stage, main, parameters, target, steering };
  const first = await attempt(session, send, options, compaction);
  if (first.notApplied?.rerunOnMain !== true) return [first];
  return [first, await attempt(session, send, options, { ...compaction, target: 'main' })];
}

async function attempt(
  session: Compactable,
  send: Send,
  { signal, stateRetired = () => false, pendingSubagents = () => [] }: CompactOptions,
  compaction: Compaction,
): Promise<CompactionAttempt> {
  const start = session.compactBegin(compaction);
  if (start.notApplied !== undefined) return start;
  let reply: Json;
  try {
    signal?.throwIfAborted();
    reply = await send(start.request);
  } catch (error) {
    const options = { stateRetired: stateRetired() };
    if (signal?.aborted !== true && !isAbort(error)) {
      return { ...session.compactFinish({ failed: describe(error) }, options), error };
    }
    cancel(session, options);
    throw error;
  }
  const options = { stateRetired: stateRetired(), pendingSubagents: pendingSubagents() };
  return session.compactFinish({ reply }, options);
}

/** What stopped the operation matters more than an error of this. */
function cancel(session: Compactable, options: FinishOptions): void {
  try {
    session.compactFinish({ cancelled: true }, options);
  } catch (error) {
    if (!(error instanceof WaybreadError)) throw error;
  }
}

/** Whether what was thrown ends the operation: an `AbortSignal` that was given up, or whose time ran out. */
function isAbort(thrown: unknown): boolean {
  return thrown instanceof Error && ['AbortError', 'TimeoutError'].includes(thrown.name);
}

/** What goes on to the session is checked there. */
function check(send: unknown, options: CompactOptions): void {
  if (typeof send !== 'function') refuseKind(send, 'send', 'a function');
  object(options, 'options', OPTIONS);
  for (const name of ['stateRetired', 'pendingSubagents'] as const) {
    const given: unknown = options[name];
    if (given !== undefined && typeof given !== 'function') {
      refuseKind(given, `options.${name}`, 'a function');
    }
  }
  const { signal } = options;
  if (signal !== undefined && !((signal as unknown) instanceof AbortSignal)) {
    refuseKind(signal, 'options.signal', 'an AbortSignal');
  }
}
