/** A replay in a window: its options, and the compactions before a request (docs/replay.md). */
import { oneOf, optional, refuse, refuseKind } from '../arguments/check.js';
import type { Options } from '../generated/interfaces/waybread-recordings-replay.js';
import type { ReplayOptions } from '../replay.js';
import type { Session } from '../session.js';
import type { NotAppliedReason, Request, Stage } from '../values.js';

/** The rules' presets. */
export type Preset = 'context-hygiene' | 'steiner';

export const PRESETS: readonly Preset[] = ['context-hygiene', 'steiner'];

/** The least and the most, in tokens. */
export type Range = readonly [number, number];

export const RANGES = { window: [4000, 10_000_000], summaryTokens: [1, 3072] } as const;

/** The importers' options. Refuses what is out of its range, or makes no sense without a window. */
export function planOptions(given: ReplayOptions): Options {
  const { shellReads = false, window, preset, summaryTokens } = given;
  for (const name of ['preset', 'summaryTokens'] as const) {
    if (window === undefined && given[name] !== undefined) {
      refuse(`options.${name}`, 'is given without `options.window`');
    }
  }
  return {
    shellReads,
    ...optional('window', window, (value) => inRange(value, 'window')),
    ...optional('preset', preset, (value) => oneOf(value, 'options.preset', PRESETS)),
    ...optional('summaryTokens', summaryTokens, (value) => inRange(value, 'summaryTokens')),
  };
}

function inRange(given: unknown, name: keyof typeof RANGES): number {
  const argument = `options.${name}`;
  if (typeof given !== 'number') return refuseKind(given, argument, 'a number');
  const [least, most] = RANGES[name];
  if (Number.isInteger(given) && given >= least && given <= most) return given;
  const range = `a whole number from ${String(least)} to ${String(most)}`;
  return refuse(argument, `is ${String(given)}, not ${range}`);
}

/** What a host hands over of a step in a window, beside its request. */
export type InWindow = { readonly compaction: Tried } | { readonly stopped: string };

/** A compaction that was begun. */
interface Tried {
  readonly stage: Stage;
  readonly request: {
    readonly keep: number;
    readonly tail: string;
    readonly tokens: number;
  } | null;
  readonly not_applied: NotAppliedReason | null;
}

/** How full the window is with a request. */
export interface Filled {
  readonly window: number;
  readonly tokens: number;
  readonly reserve: number;
  readonly margin: number;
  readonly reason: string | undefined;
}

type Compactable = Pick<Session, 'pressure' | 'compactBegin' | 'compactFinish'>;

const MOST_COMPACTIONS = 2;

/**
 * Compacts where the rules say so, with the stand-in for a summary. Says whether the next request may be
 * built.
 */
export function makeRoom(
  session: Compactable,
  standIn: string,
  told: (what: InWindow) => void,
): boolean {
  for (let begun = 0; ; begun += 1) {
    const { action, reason = '' } = session.pressure();
    if (action === 'none' || action === 'shorten') return true;
    if (action === 'stop') {
      told({ stopped: reason });
      return false;
    }
    if (begun === MOST_COMPACTIONS) {
      told({ stopped: 'a third compaction was asked for' });
      return false;
    }
    told({ compaction: tryOne(session, action === 'compact' ? 'normal' : 'emergency', standIn) });
  }
}

function tryOne(session: Compactable, stage: Stage, standIn: string): Tried {
  const { request, notApplied } = session.compactBegin({ stage });
  if (request === undefined) return { stage, request: null, not_applied: notApplied.reason };
  const { keep, tail, estimate } = request;
  const end = session.compactFinish({ reply: standIn });
  return {
    stage,
    request: { keep, tail, tokens: estimate.tokens },
    not_applied: end.notApplied?.reason ?? null,
  };
}

/** What the report is told of a request's pressure. */
export function filledBy({ pressure }: Request): Filled {
  const { window, estimate, reserve, margin, reason } = pressure;
  return { window, tokens: estimate.tokens, reserve, margin, reason };
}
