/** The second component: it reads recordings and adds up reports, and imports nothing. */
import { compileAll, coreModule, type CoreModules } from '../component.js';
import { describe } from '../errors.js';
import { payloadOf } from '../failures.js';
import type * as Glue from '../generated/interfaces/waybread-recordings-replay.js';
import { instantiate } from '../generated/recordings.js';
import { once } from '../once.js';
import type { Plan } from './plan.js';
import type { ImportError } from './report.js';

const FILES = {
  'recordings.core.wasm': new URL('../generated/recordings.core.wasm', import.meta.url),
};

/** A recording that can't be replayed. */
export class UnplayableError extends Error {
  readonly detail: ImportError;

  constructor(detail: ImportError, options?: ErrorOptions) {
    super(detail.message, options);
    this.detail = detail;
  }
}

/** An instance of the importers. After a trap the next call gets another one. */
export class Importers {
  readonly #modules: CoreModules;
  #instance: typeof Glue | undefined;

  constructor(modules: CoreModules) {
    this.#modules = modules;
  }

  /** Reads one recording. Throws an {@link UnplayableError}. */
  plan(name: string, content: string, options: Glue.Options): Plan {
    const json = this.#call((instance) => instance.plan(name, content, options));
    return JSON.parse(json) as Plan;
  }

  /** The requests of a context, counted, to be handed back for the report. */
  measure(requests: readonly unknown[]): unknown {
    return JSON.parse(this.#call((instance) => instance.measure(JSON.stringify(requests))));
  }

  /** The report, as JSON, on what `docs/replay.md` calls replayed files. */
  report(replayed: readonly unknown[]): string {
    return this.#call((instance) => instance.report(JSON.stringify(replayed)));
  }

  /** A report as a terminal shows it. */
  summary(report: string, shellReads: boolean): string {
    return this.#call((instance) => instance.summary(report, shellReads));
  }

  #call<T>(work: (instance: typeof Glue) => T): T {
    this.#instance ??= instantiate((name) => coreModule(this.#modules, name), {}).replay;
    try {
      return work(this.#instance);
    } catch (error) {
      const value = payloadOf(error) as ImportError | string | undefined;
      if (value === undefined) this.#instance = undefined;
      throw new UnplayableError(detailOf(value, error), { cause: error });
    }
  }
}

/** The importers of this process. */
export const loadImporters: () => Promise<Importers> = once(
  async () => new Importers(await compileAll(FILES)),
);

function detailOf(value: ImportError | string | undefined, error: unknown): ImportError {
  if (value === undefined) return { message: `the importer stopped: ${describe(error)}` };
  return typeof value === 'string' ? { message: value } : value;
}
