/**
 * `waybread/replay`: recorded agent sessions put through the rules, and what that would have saved;
 * and every request of theirs, with what it would have cost under the policies that people use.
 *
 * `docs/replay.md` describes the parts. It loads in Node and in browsers; the command
 * `waybread-replay` is a thin one on it.
 *
 * @module
 */
import * as toReplay from './arguments/replay.js';
import { load, type Waybread } from './load.js';
import type { Storage } from './ports.js';
import { perform } from './replay/context.js';
import { loadImporters, UnplayableError, type Importers } from './replay/importers.js';
import { keyOf, ReplayStorage } from './replay/kept.js';
import { Names } from './replay/names.js';
import type { PlannedSession } from './replay/plan.js';
import type { ImportError, Report } from './replay/report.js';
import { planOptions, type Preset } from './replay/window.js';

export type {
  Counts,
  FailedFile,
  ImportError,
  Policy,
  Reason,
  Report,
  SessionReport,
  WindowReport,
} from './replay/report.js';
export type { Preset } from './replay/window.js';

/** A recording in any format that is known, or why there is none. */
export type Recording =
  /** `name` is the file's name without folders, `content` the whole file. */
  | { readonly name: string; readonly content: string }
  /** A file that could not be read: it is in the report. */
  | { readonly name: string; readonly error: ImportError };

/** How recordings are replayed. */
export interface ReplayOptions {
  /**
   * Put plain shell reads (`cat F`, `sed -n 'A,Bp' F`, …) through the rules as reads, as a harness
   * with a read tool would have. Default false: they are command output.
   */
  readonly shellReads?: boolean | undefined;
  /**
   * Hold the sessions to a window of so many tokens, from 4,000 to 10,000,000: they are compacted where
   * the rules say so (docs/replay.md, "With a window"). Default: without a window.
   */
  readonly window?: number | undefined;
  /** With a window, the preset of the rules. Default `context-hygiene`. */
  readonly preset?: Preset | undefined;
  /** With a window, how many tokens a stand-in summary has, from 1 to 3,072. Default 800. */
  readonly summaryTokens?: number | undefined;
  /**
   * Where the replayed sessions are kept, to be carried on or looked at ({@link Session.contextReport}): a
   * storage without sessions of these names. A session of the report is there under its name (the second
   * of two with one name, from different files, as `2~NAME`), and what came of another context of it than
   * the conversation as `NAME/CONTEXT`. Default: in memory, and gone afterwards.
   */
  readonly storage?: Storage | undefined;
  /**
   * Called for each session with what the model would have been shown: JSON Lines, a line a result,
   * `{"context":…,"id":…,"call":…,"treatment":…,"text":…}`.
   */
  readonly onSession?: ((name: string, lines: string) => void) | undefined;
}

/** What came of a replay. */
export interface Replayed {
  readonly report: Report;
  /** The same as JSON, the same bytes in every host. */
  readonly json: string;
  /** The same as a terminal shows it, tables and sentences; empty without a session. */
  readonly summary: string;
}

/**
 * Puts recordings through the rules. One that can't be replayed is in the report, and the rest
 * goes on. They may come from an asynchronous iterable, one at a time.
 *
 * Rejects with a {@link WaybreadError}: `invalid-argument` for options that are unknown, of another type or
 * out of their range, and for a preset or `summaryTokens` without a window; for what is no recording, when
 * it comes to it. It rejects with what the storage or `onSession` throws, too.
 *
 * @example
 * ```ts
 * const { report } = await replay([{ name: 'session.jsonl', content }]);
 * console.log(`${report.total.saved_percent} % saved`);
 * ```
 */
export async function replay(
  recordings: Iterable<Recording> | AsyncIterable<Recording>,
  options: ReplayOptions = {},
): Promise<Replayed> {
  const [given, checked] = [toReplay.recordings(recordings), toReplay.replayOptions(options)];
  const plan = planOptions(checked);
  const run = new Run(await load(), await loadImporters(), plan, checked);
  const replayed: unknown[] = [];
  for await (const recording of given) {
    replayed.push(run.file(toReplay.recording(recording, replayed.length)));
  }
  const json = run.importers.report(replayed);
  const summary = run.importers.summary(json, plan.shellReads);
  return { report: JSON.parse(json) as Report, json, summary };
}

type PlanOptions = ReturnType<typeof planOptions>;

class Run {
  readonly importers: Importers;
  readonly #waybread: Waybread;
  readonly #onSession: ReplayOptions['onSession'];
  readonly #plan: PlanOptions;
  readonly #storage: Storage | undefined;
  readonly #names = new Names();
  readonly #sessionNames = new Names();

  constructor(
    waybread: Waybread,
    importers: Importers,
    plan: PlanOptions,
    { onSession, storage }: ReplayOptions,
  ) {
    this.#waybread = waybread;
    this.importers = importers;
    this.#onSession = onSession;
    this.#storage = storage;
    this.#plan = plan;
  }

  file(recording: Recording): unknown {
    const file = this.#names.give(recording.name);
    if ('error' in recording) return { file, error: recording.error };
    try {
      const { format, sessions } = this.importers.plan(file, recording.content, this.#plan);
      return { file, format, sessions: sessions.map((session) => this.#session(session)) };
    } catch (error) {
      if (error instanceof UnplayableError) return { file, error: error.detail };
      throw error;
    }
  }

  #session({ name, about, policies, window, contexts }: PlannedSession): unknown {
    const unique = this.#sessionNames.give(name);
    const performed = contexts.map((context) => {
      const storage = new ReplayStorage();
      const done = perform(this.#waybread, context, storage);
      if (this.#storage !== undefined) storage.putInto(this.#storage, keyOf(unique, context.name));
      return { name: context.name, ...done };
    });
    this.#onSession?.(name, performed.flatMap(({ lines }) => lines).join(''));
    return {
      name,
      about,
      policies,
      window,
      contexts: performed.map(({ name, results, requests }) => ({
        name,
        results,
        prompt: this.importers.measure(requests),
      })),
    };
  }
}
