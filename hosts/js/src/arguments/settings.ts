/** What a session begins with, and what can change while it runs. */
import type * as Context from '../generated/interfaces/waybread-context-context.js';
import type {
  Assembly,
  Change,
  ChangeKind,
  Dialect,
  Kind,
  NoteOptions,
  Prompt,
  PromptPart,
  PromptSource,
  Settings,
  Tool,
} from '../values.js';
import { boolean, json, list, object, oneOf, optional, string } from './check.js';

const KINDS: readonly Kind[] = ['agent', 'chat'];
const DIALECTS: readonly Dialect[] = ['openai-chat', 'anthropic-messages', 'openai-responses'];
const PARTS: readonly PromptPart[] = [
  'preamble',
  'global-instructions',
  'project-instructions',
  'project-context',
  'skill',
  'phase-prompt',
  'session-date',
];
const CHANGES: readonly ChangeKind[] = [
  'mode',
  'plan',
  'memory',
  'instructions',
  'personality',
  'mcp-instructions',
];
const TOOL: readonly (keyof Tool)[] = [
  'name',
  'description',
  'parameters',
  'definition',
  'requires',
  'unavailable',
  'kinds',
  'vision',
];
const SETTINGS: readonly (keyof Settings)[] = [
  'kind',
  'dialect',
  'root',
  'home',
  'overrides',
  'start',
  'prompt',
  'assembly',
  'tools',
  'recall',
  'vision',
  'onlyTools',
  'withoutTools',
  'conditions',
];

/** Settings with their defaults. */
export function settings(given: Settings): Context.Settings {
  object(given, 'settings', SETTINGS);
  const { kind = 'agent', root, home, overrides = '', start } = given;
  return {
    kind: oneOf(kind, 'settings.kind', KINDS),
    root: string(root, 'settings.root'),
    overrides: json(overrides, 'settings.overrides'),
    ...optional('home', home, (value) => string(value, 'settings.home')),
    ...optional('start', start, (value) => string(value, 'settings.start')),
    ...conversation(given),
  };
}

/** The settings of a session with a dialect. */
function conversation(given: Settings) {
  const { dialect, prompt: sources = {}, recall = true, vision = true } = given;
  const { assembly: read = {} } = given;
  return {
    ...optional('dialect', dialect, (value) => oneOf(value, 'settings.dialect', DIALECTS)),
    prompt: prompt(sources, 'settings.prompt'),
    assembly: assembly(read, 'settings.assembly'),
    recall: boolean(recall, 'settings.recall'),
    vision: boolean(vision, 'settings.vision'),
    ...toolsOf(given),
  };
}

/** The settings that say which tools are offered. */
function toolsOf({ tools = [], onlyTools, withoutTools = [], conditions = [] }: Settings) {
  return {
    tools: list(tools, 'settings.tools', tool),
    withoutTools: list(withoutTools, 'settings.withoutTools', string),
    conditions: list(conditions, 'settings.conditions', string),
    ...optional('onlyTools', onlyTools, (names) => list(names, 'settings.onlyTools', string)),
  };
}

/** What the system prompt is made of. */
export function prompt(given: Prompt, argument: string): Context.Prompt {
  object(given, argument, ['sources', 'told']);
  const { sources = [], told = [] } = given;
  return {
    sources: list(sources, `${argument}.sources`, promptSource),
    told: list(told, `${argument}.told`, change),
  };
}

/** What is looked for and read. */
export function assembly(given: Assembly, argument: string): Context.Assembly {
  const keys = ['scope', 'instructions', 'contextFiles', 'ignore', 'skillRoots', 'skills'] as const;
  object(given, argument, keys);
  const { scope = '', instructions = false } = given;
  const { contextFiles = [], ignore = [], skillRoots = [], skills = [] } = given;
  return {
    scope: string(scope, `${argument}.scope`),
    instructions: boolean(instructions, `${argument}.instructions`),
    contextFiles: list(contextFiles, `${argument}.contextFiles`, string),
    ignore: list(ignore, `${argument}.ignore`, string),
    skillRoots: list(skillRoots, `${argument}.skillRoots`, string),
    skills: list(skills, `${argument}.skills`, string),
  };
}

function promptSource(given: PromptSource, argument: string): Context.PromptSource {
  object(given, argument, ['part', 'name', 'text']);
  const { part, name = '', text } = given;
  return {
    part: oneOf(part, `${argument}.part`, PARTS),
    name: string(name, `${argument}.name`),
    text: string(text, `${argument}.text`),
  };
}

/** The value that something has now. */
export function change(given: Change, argument: string): Context.Change {
  object(given, argument, ['kind', 'name', 'text']);
  const { kind, name = '', text = '' } = given;
  return {
    kind: oneOf(kind, `${argument}.kind`, CHANGES),
    name: string(name, `${argument}.name`),
    text: string(text, `${argument}.text`),
  };
}

/** Whether the model made a change itself. */
export function byModel(given: NoteOptions): boolean {
  object(given, 'options', ['byModel']);
  const { byModel: value = false } = given;
  return boolean(value, 'options.byModel');
}

/** A tool with its defaults. */
export function tool(given: Tool, argument: string): Context.Tool {
  object(given, argument, TOOL);
  const { name, description = '', parameters = '', requires = [] } = given;
  const { definition, unavailable, kinds = [], vision = false } = given;
  return {
    name: string(name, `${argument}.name`),
    description: string(description, `${argument}.description`),
    parameters: json(parameters, `${argument}.parameters`),
    ...optional('definition', definition, (value) => json(value, `${argument}.definition`)),
    requires: list(requires, `${argument}.requires`, string),
    ...optional('unavailable', unavailable, (text) => string(text, `${argument}.unavailable`)),
    kinds: list(kinds, `${argument}.kinds`, (kind, place) => oneOf(kind, place, KINDS)),
    vision: boolean(vision, `${argument}.vision`),
  };
}
