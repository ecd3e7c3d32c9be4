/** A scenario of `../scenarios`, played through the loop that every chat has. */
import { readFileSync } from 'node:fs';
import { MemoryTree, type Kind, type Prompt, type Settings, type Storage, type Tool, type Waybread } from 'waybread';
import { Chat, type Dialect, type Run } from './chat.js';

interface Scenario {
  readonly kind: Kind;
  readonly dialect: Dialect;
  readonly root: string;
  readonly date: string;
  readonly prompt: string;
  readonly parameters: object;
  readonly tools: readonly Tool[];
  readonly files: Readonly<Record<string, string>>;
  readonly turns: readonly string[];
  readonly results: Readonly<Record<string, readonly string[]>>;
}

/** Plays it to its end. */
export async function play(waybread: Waybread, file: string, url: string, storage: Storage): Promise<void> {
  const scenario = JSON.parse(readFileSync(file, 'utf8')) as Scenario;
  const { kind, dialect, root, tools, parameters } = scenario;
  const settings: Settings = { kind, dialect, root, prompt: preamble(scenario.prompt), tools };
  const filesystem = new MemoryTree(scenario.files);
  const session = waybread.open('scenario', settings, { storage, filesystem });
  const chat = new Chat(session, dialect, { url, parameters }, answering(scenario.results));
  for (const words of scenario.turns) await chat.turn(words, scenario.date);
}

/** A prompt of the harness's own words. */
export function preamble(text: string): Prompt {
  return { sources: [{ part: 'preamble', text }] };
}

/** A read answers with its file, other tools with what the scenario says, in order. */
function answering(results: Scenario['results']): Run {
  const given = new Map<string, number>();
  return (call, args) => {
    if (call.name === 'read') return { read: reading(args) };
    const at = given.get(call.name) ?? 0;
    given.set(call.name, at + 1);
    const output = results[call.name]?.[at];
    return output === undefined ? { failure: `no tool ${call.name}` } : { output };
  };
}

/** A read's arguments as the model gave them. */
export function reading(args: Readonly<Record<string, unknown>>): { path: string; offset?: number; limit?: number } {
  const { path, offset, limit } = args;
  return {
    path: String(path),
    ...(typeof offset === 'number' && { offset }),
    ...(typeof limit === 'number' && { limit }),
  };
}
