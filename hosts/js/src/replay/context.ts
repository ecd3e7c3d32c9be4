/** One context of a plan, performed on a session of its own. */
import { TrappedError, WaybreadError } from '../errors.js';
import type { Waybread } from '../load.js';
import { MemoryTree } from '../memory-tree.js';
import type { Session } from '../session.js';
import type { Inserted, Message, Outcome, Settings } from '../values.js';
import { ReplayStorage } from './kept.js';
import type { AddMessage, Context, InsertResult } from './plan.js';
import { filledBy, makeRoom, type Filled, type InWindow } from './window.js';

/** What a host hands back of a result: docs/replay.md. */
export type Result =
  | { as: string; treatment: string; chars_in: number; chars_out: number }
  | { as: string; error: string };

/** What a host hands over of a request to be counted: docs/replay.md. */
export type Built =
  { keep: number; tail: string; pressure?: Filled } | InWindow | { error: string };

/**
 * A context's results and requests for the report, and what the model would have been shown, a line
 * a result.
 */
export interface Performed {
  readonly results: Result[];
  readonly requests: Built[];
  readonly lines: string[];
}

/** Performs the steps in order. A session that can't be opened fails each of its steps. */
export function perform(
  waybread: Waybread,
  context: Context,
  storage = new ReplayStorage(),
): Performed {
  const tree = new MemoryTree();
  const hosts = { storage, filesystem: tree };
  const open = once(() => waybread.open(storage.key, settingsOf(context), hosts));
  const performed: Performed = { results: [], requests: [], lines: [] };
  for (const step of context.steps) {
    switch (step.do) {
      case 'write-file':
        tree.write(step.path, step.content);
        break;
      case 'delete-file':
        tree.remove(step.path);
        break;
      case 'insert-result':
        insert(open, context.name, step, performed);
        break;
      case 'add-message':
        add(open, messageOf(step), performed);
        break;
      case 'build-request':
        build(open, context.stand_in, performed);
    }
  }
  return performed;
}

function settingsOf({ settings: { home, ...others } }: Context): Settings {
  return home === null ? others : { ...others, home };
}

function messageOf(step: AddMessage): Message {
  return 'user' in step ? { user: step.user } : { reply: step.reply };
}

function add(open: () => Session, message: Message, { requests }: Performed): void {
  try {
    open().addMessage(message);
  } catch (error) {
    requests.push({ error: wordsOf(error) });
  }
}

/** In a context with a stand-in for summaries, it is compacted first where the rules say so. */
function build(open: () => Session, standIn: string | undefined, { requests }: Performed): void {
  try {
    const session = open();
    if (standIn === undefined) {
      const { keep, tail } = session.buildRequest();
      requests.push({ keep, tail });
    } else if (makeRoom(session, standIn, (what) => requests.push(what))) {
      const request = session.buildRequest();
      requests.push({ keep: request.keep, tail: request.tail, pressure: filledBy(request) });
    }
  } catch (error) {
    requests.push({ error: wordsOf(error) });
  }
}

/** What a session answers to a step that it does not take. Any other error is thrown on. */
function wordsOf(error: unknown): string {
  if (error instanceof WaybreadError || error instanceof TrappedError) return error.message;
  throw error;
}

function insert(
  open: () => Session,
  context: string,
  step: InsertResult,
  { results, lines }: Performed,
): void {
  const call = { id: step.call, name: step.tool, arguments: step.arguments };
  let inserted: Inserted;
  try {
    inserted = open().insertResult(call, outcomeOf(step));
  } catch (error) {
    results.push({ as: step.as, error: wordsOf(error) });
    return;
  }
  const { id, treatment, text, charsIn, charsOut } = inserted;
  results.push({ as: step.as, treatment, chars_in: charsIn, chars_out: charsOut });
  // The keys' order is part of the format.
  lines.push(JSON.stringify({ context, id, call: call.id, treatment, text }) + '\n');
}

function outcomeOf(step: InsertResult): Outcome {
  if ('read' in step) return { read: step.read };
  if ('changes' in step) return { changes: step.changes };
  return 'output' in step ? { output: step.output } : { failure: step.failure };
}

/** Keeps what the work answered; work that threw is done again. */
function once<T>(work: () => T): () => T {
  let kept: { readonly value: T } | undefined;
  return () => (kept ??= { value: work() }).value;
}
