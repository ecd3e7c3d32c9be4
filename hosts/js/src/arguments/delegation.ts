/** A part of the work that is given away. */
import type * as Context from '../generated/interfaces/waybread-context-context.js';
import type { Delegation } from '../values.js';
import { list, object, optional, string } from './check.js';
import { assembly, prompt } from './settings.js';

/** A delegation with its defaults. */
export function delegation(given: Delegation): Context.Delegation {
  object(given, 'delegation', ['key', 'kind', 'prompt', 'assembly', 'onlyTools']);
  const { key, kind, prompt: sources = {}, assembly: read = {}, onlyTools } = given;
  return {
    key: string(key, 'delegation.key'),
    kind: string(kind, 'delegation.kind'),
    prompt: prompt(sources, 'delegation.prompt'),
    assembly: assembly(read, 'delegation.assembly'),
    ...optional('onlyTools', onlyTools, (names) => list(names, 'delegation.onlyTools', string)),
  };
}
