/** The part of a session that has to do with its window: pressure, compactions, what they leave. */
import * as toGlue from '../arguments.js';
import { Bodies } from '../body.js';
import { compact, type CompactOptions, type CompactResult, type Send } from '../compact.js';
import { WaybreadError } from '../errors.js';
import type { Instance } from '../instance.js';
import type {
  Compaction,
  CompactionEnd,
  CompactionStart,
  ContextState,
  FallbackDecision,
  FinishOptions,
  Generation,
  IdleTime,
  Json,
  MainRequest,
  ModelRef,
  Pressure,
  StoredMessage,
  SummaryOutcome,
} from '../values.js';

/** What {@link Session} has of compactions; nothing else is made of it. */
export abstract class CompactingSession {
  /** @internal */
  protected readonly instance: Instance;
  /** @internal */
  protected readonly bodies = new Bodies();
  #compacting = false;

  /** @internal */
  protected constructor(instance: Instance) {
    this.instance = instance;
  }

  /**
   * How full the window would be with the next request, which is not built, and what to do about it
   * (docs/compaction.md, "Pressure"). `parameters` as {@link Session.buildRequest} takes them. Asked
   * before a request is built, so that one that is not sent is not built.
   *
   * @throws {@link WaybreadError}: `invalid-argument`; `out-of-order` without a dialect or a message;
   * `storage`.
   */
  pressure(parameters: Json = ''): Pressure {
    const glueParameters = toGlue.json(parameters, 'parameters');
    return this.instance.call((inner) => inner.pressure(glueParameters));
  }

  /**
   * Runs a compaction from its beginning to its end: `send` sends a request for a summary, and answers
   * the reply. The stage `normal` comes first, then `emergency` if the pressure asks for it; where a
   * fallback failed, the same stage is begun again on the main model.
   *
   * What `send` throws is told to the session as the provider's failure, and the operation goes on. An
   * `AbortError`, or anything that is thrown once `signal` is aborted, is told as a cancellation and
   * thrown on. What a stage applied stands.
   *
   * Until it is done, messages and results may be added; they are retained. To take messages back or to
   * build a request makes it fail with `out-of-order`.
   *
   * @throws {@link WaybreadError}: as {@link Session.compactBegin} and {@link Session.compactFinish};
   * `out-of-order` while another one runs.
   *
   * @example
   * ```ts
   * const send = async ({ body }: SummaryRequest) => {
   *   const response = await fetch(url, { method: 'POST', headers, body });
   *   if (!response.ok) throw new Error(`the provider answered ${response.status}`);
   *   return response.text();
   * };
   * let pressure = session.pressure(parameters);
   * if (pressure.action === 'compact' || pressure.action === 'emergency') {
   *   ({ pressure } = await session.compact(send, { parameters }));
   * }
   * if (pressure.action === 'stop') throw new Error(pressure.reason);
   * const { body } = session.buildRequest(parameters);
   * ```
   */
  async compact(send: Send, options: CompactOptions = {}): Promise<CompactResult> {
    if (this.#compacting) throw busy();
    this.#compacting = true;
    try {
      return await compact(this, send, options);
    } finally {
      this.#compacting = false;
    }
  }

  /**
   * Asks for a summary of the conversation (§7; docs/compaction.md): the request is the next turn of the
   * same conversation, and is neither shown nor stored. Nothing changes until
   * {@link Session.compactFinish}. A compaction that is not to be is told, with the reason; so is a
   * fallback that is passed over. {@link Session.compact} does the whole.
   *
   * @throws {@link WaybreadError}: `invalid-argument`; `out-of-order` without a dialect or a message, or
   * while calls are open; `storage`.
   */
  compactBegin(compaction: Compaction = {}): CompactionStart {
    const glueCompaction = toGlue.compaction(compaction);
    return this.instance.call((inner) => {
      const start = inner.compactBegin(glueCompaction);
      if (start.tag === 'not-applied') return { notApplied: start.val };
      return { request: { ...start.val, body: this.bodies.beside(start.val) } };
    });
  }

  /**
   * Takes the reply to the request that {@link Session.compactBegin} gave, and puts the summary in the
   * place of what it covers, with the table of reads. What was added in the meantime stays. Or leaves
   * all as it was, with the reason.
   *
   * @throws {@link WaybreadError}: `out-of-order` if no compaction was begun, or what it covers is not
   * the conversation's beginning any more; `invalid-argument`; `conflict`, `storage`.
   */
  compactFinish(outcome: SummaryOutcome, options: FinishOptions = {}): CompactionEnd {
    const glueResult = toGlue.summaryResult(outcome, options);
    return this.instance.call((inner) => {
      const end = inner.compactFinish(glueResult);
      return end.tag === 'applied' ? { applied: end.val } : { notApplied: end.val };
    });
  }

  /**
   * Says that the main model answered a request: after each, so that {@link Session.fallbackDue} knows
   * how long the cache has been idle. Also seeds a session that carries on for another one. A fallback's
   * requests are not told.
   *
   * @throws {@link WaybreadError}: `invalid-argument` for an empty provider or model; `out-of-order`
   * without a dialect; `conflict`, `storage`.
   */
  mainRequestAnswered(request: MainRequest): void {
    const glueRequest = toGlue.mainRequest(request);
    this.instance.call((inner) => {
      inner.mainRequestAnswered(glueRequest);
    });
  }

  /**
   * The last main request that was told; undefined after none. A time above `Number.MAX_SAFE_INTEGER`,
   * which only another host can have told, is the nearest number.
   */
  lastMainRequest(): MainRequest | undefined {
    const last = this.instance.call((inner) => inner.lastMainRequest());
    return last && { ...last, at: Number(last.at) };
  }

  /**
   * Whether the main model's cache is cold, so that a fallback may be resolved (docs/compaction.md,
   * "Fallback"). A last request of another provider, model or cache key counts as none.
   *
   * @throws {@link WaybreadError}: `invalid-argument`; `out-of-order` without a dialect.
   */
  fallbackDue(main: ModelRef, idle: IdleTime): FallbackDecision {
    const glueMain = toGlue.modelRef(main, 'main');
    const { cacheKey, afterMs, now } = toGlue.idleTime(idle);
    const decision = this.instance.call((inner) =>
      inner.fallbackDue(glueMain, cacheKey, afterMs, now),
    );
    return decision.tag === 'cold' ? { cold: decision.val } : decision.tag;
  }

  /** The generations of the conversation, oldest first. */
  lineage(): readonly Generation[] {
    return this.instance.call((inner) => inner.lineage());
  }

  /**
   * The messages of a generation, as they were when it ended: as {@link Session.conversation}, which
   * tells those of the active one.
   *
   * @throws {@link WaybreadError}: `unknown-generation`; `storage`.
   */
  generation(number: number): readonly StoredMessage[] {
    const glueNumber = toGlue.count(number, 'number');
    return this.instance.call((inner) => inner.generation(glueNumber));
  }

  /**
   * The history archive (`archive.keep`; docs/compaction.md, "The history archive"): what summaries
   * stand for, as Markdown, oldest first. Empty if there is none.
   *
   * @throws {@link WaybreadError}: `storage`.
   */
  history(): string {
    return this.instance.call((inner) => inner.history());
  }

  /** What is worth keeping of the session beside its conversation. */
  contextState(): ContextState {
    return this.instance.call((inner) => inner.contextState());
  }
}

function busy(): WaybreadError {
  const problem = 'a compaction of this session is under way: wait for it, or cancel it';
  return new WaybreadError({ code: 'out-of-order', problem }, problem);
}
