/** A session that answers by a script, for what asks it to compact. */
import type {
  Compacted,
  CompactionEnd,
  CompactionStart,
  NotApplied,
  NotAppliedReason,
  Pressure,
  PressureAction,
  SummaryRequest,
  WaybreadError,
} from '../../src/index.js';

const estimate = { tokens: 9, raw: 9, strategy: 'weights', confidence: 'low' } as const;
const limits = { window: 99, softLimit: 70, hardLimit: 98, reserve: 1, margin: 1, used: 9 };
const health = { severity: 'info', state: 'stable', guidance: 'Go on.' } as const;

export function pressure(action: PressureAction): Pressure {
  return { estimate, ...limits, fits: true, action };
}

export function request(body: string, onFallback = false): { request: SummaryRequest } {
  const place = { keep: 0, tail: body, length: body.length, sha256: '', maxTokens: 5 };
  const covered = { covers: 2, retains: 0 };
  return { request: { stage: 'normal', body, estimate, ...place, ...covered, onFallback, health } };
}

export function applied(summary: string): { applied: Compacted } {
  const counts = { generation: 2, message: 3, covered: 2, retained: 0 };
  const tokens = { tokensBefore: 80, tokensAfter: 9, pressure: pressure('none'), health };
  const rest = { stateCleared: false, warnings: [] };
  return { applied: { stage: 'normal', summary, text: summary, ...counts, ...tokens, ...rest } };
}

export function notApplied(
  reason: NotAppliedReason,
  rerunOnMain = false,
): { notApplied: NotApplied } {
  const message = `it is ${reason}`;
  return { notApplied: { stage: 'normal', reason, message, rerunOnMain, stateCleared: false } };
}

export interface Script {
  actions?: PressureAction[];
  starts?: CompactionStart[];
  ends?: (CompactionEnd | WaybreadError)[];
}

/** Answers one after the other, and keeps what it was asked. */
export class Scripted {
  readonly calls: unknown[] = [];
  readonly #script: Required<Script>;

  constructor({ actions = [], starts = [], ends = [] }: Script) {
    this.#script = { actions, starts, ends };
  }

  pressure(parameters?: unknown): Pressure {
    this.calls.push(['pressure', parameters]);
    return pressure(this.#script.actions.shift() ?? 'none');
  }

  compactBegin(compaction: object = {}): CompactionStart {
    this.calls.push(['begin', compaction]);
    return next(this.#script.starts);
  }

  compactFinish(outcome: object, options?: object): CompactionEnd {
    this.calls.push(['finish', outcome, options]);
    const end = next(this.#script.ends);
    if (end instanceof Error) throw end;
    return end;
  }
}

function next<T>(script: T[]): T {
  const answer = script.shift();
  if (answer === undefined) throw new Error('the script is at its end');
  return answer;
}
