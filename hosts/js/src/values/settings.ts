/** What a session begins with, and what can change while it runs. */

/**
 * A JSON object or array: as a value, which `JSON.stringify` spells, or as text, which is carried as
 * it is. Text keeps the order of keys that look like numbers, and `1.0`.
 */
export type Json = string | object;

/**
 * What the requests of a session carry of earlier results (§2): `agent` sends every result again
 * with every request; `chat` sends no earlier reply's results, and of earlier replies their text.
 */
export type Kind = 'agent' | 'chat';

/** The provider's API that requests are built for and replies come from. */
export type Dialect = 'openai-chat' | 'anthropic-messages' | 'openai-responses';

/**
 * Which part of the prompt a source is. The parts stand in this order; the component's own blocks
 * (environment, §11; context, §9) follow the preamble. Those marked * are in the user zone: a message in
 * front of the conversation (docs/assembly.md).
 *
 * - `preamble`: the harness's own words, without a date or time (§10.2) and without an absolute path
 *   of the machine (§11);
 * - `global-instructions`: the person's instruction files for every project;
 * - `project-instructions`: the project's;
 * - `project-context` *: of the project's files, within a budget (`assembly.project_context_bytes`);
 * - `skill` *: a skill for the whole session, within a budget (`assembly.skill_bytes`);
 * - `phase-prompt`: the harness's words for a phase of its work, checked like the preamble;
 * - `session-date` *: the date on which the session began, as the model is to read it.
 */
export type PromptPart =
  | 'preamble'
  | 'global-instructions'
  | 'project-instructions'
  | 'project-context'
  | 'skill'
  | 'phase-prompt'
  | 'session-date';

/** A source of the system prompt. */
export interface PromptSource {
  readonly part: PromptPart;
  /**
   * Of instructions: the file's path, absolute or relative to the root, which the prompt names as
   * {@link Session.namePath} does. Of the other parts: what errors call it. Default empty.
   */
  readonly name?: string | undefined;
  readonly text: string;
}

/**
 * What can change during a session and is told at the end, as a note (§10.3). `name` is
 *
 * - `mode`: the permission mode's name, and `text` its description;
 * - `plan`, `personality`: empty;
 * - `memory`, `instructions`: the path of the file;
 * - `mcp-instructions`: the server's name.
 */
export type ChangeKind =
  'mode' | 'plan' | 'memory' | 'instructions' | 'personality' | 'mcp-instructions';

/** The value that something has now. */
export interface Change {
  readonly kind: ChangeKind;
  /** Default empty. */
  readonly name?: string | undefined;
  /** Default empty, which says that it has no value any more; a mode has one. */
  readonly text?: string | undefined;
}

/** How a change came. */
export interface NoteOptions {
  /** The model made the change itself: a tool result told it already. Default false. */
  readonly byModel?: boolean | undefined;
}

/** What the system prompt is made of. */
export interface Prompt {
  /** Sources of one part stand in the order given. */
  readonly sources?: readonly PromptSource[] | undefined;
  /** What the sources tell of things that can change: a note is owed only for what differs. */
  readonly told?: readonly Change[] | undefined;
}

/**
 * What is looked for and read, through the session's filesystem, when the prompt is made. Each field may
 * be left out; nothing is read then.
 */
export interface Assembly {
  /** A name for it, which changes nothing. Default empty. */
  readonly scope?: string | undefined;
  /** Whether instruction files are looked for (`assembly.instruction_files`). Default false. */
  readonly instructions?: boolean | undefined;
  /**
   * Files of the project that go into the prompt, in this order: relative to the root, not out of it. One
   * that is not there is passed over.
   */
  readonly contextFiles?: readonly string[] | undefined;
  /** Of those, what is left out: a whole relative path, its end, or a name. */
  readonly ignore?: readonly string[] | undefined;
  /**
   * Folders that skills are looked for in, the first that has one counts. Relative to the root, absolute,
   * or `~/…`.
   */
  readonly skillRoots?: readonly string[] | undefined;
  /** Skills that are in the prompt for the whole session. One that is not there is passed over. */
  readonly skills?: readonly string[] | undefined;
}

/** A tool that the model may call. */
export interface Tool {
  /** Not empty, unique in the session. */
  readonly name: string;
  /** Default empty. */
  readonly description?: string | undefined;
  /** The JSON Schema of its arguments. Default: no arguments. */
  readonly parameters?: Json | undefined;
  /**
   * The tool as the dialect spells it, for tools that the provider defines. `description` and
   * `parameters` are not used then.
   */
  readonly definition?: Json | undefined;
  /**
   * Conditions that can come and go (`page`, `plan-mode`). The tool is offered all the same; a call
   * while one is not met is answered `unavailable` (§10.4).
   */
  readonly requires?: readonly string[] | undefined;
  /** What such a call is answered. Default: `tools.unavailable` of loop.json. */
  readonly unavailable?: string | undefined;
  /** The kinds of session that offer it. Default: all. */
  readonly kinds?: readonly Kind[] | undefined;
  /** Whether it is left out for a model that sees no images. Default false. */
  readonly vision?: boolean | undefined;
}

/** What is fixed when a session begins. It is kept in the log. */
export interface Settings {
  /** Default `agent`. */
  readonly kind?: Kind | undefined;
  /**
   * Without one, the session is of results only: it builds no requests, takes results for any call,
   * and uses nothing but `kind`, `root`, `home` and `overrides`.
   */
  readonly dialect?: Dialect | undefined;
  /**
   * The project root: an absolute path, `/work/app` or `C:\work\app`. Relative paths are resolved
   * against it (§11). A session carried on elsewhere may name another root.
   */
  readonly root: string;
  /** The person's home directory, absolute, for `~/…`. Without one, `~` is a name like any other. */
  readonly home?: string | undefined;
  /**
   * Changes to the texts and numbers in `conformance/loop.json`: an object of the same shape that
   * names only what differs, `{ context: { cap: { max_lines: 200 } } }`.
   */
  readonly overrides?: Json | undefined;
  /** The directory that the person started in: absolute or relative to the root, at or below it. */
  readonly start?: string | undefined;
  /**
   * Made into the system prompt once (§10.1). What a later open gives is used when the prompt is
   * next made again; one that gives no sources and tells nothing keeps what was given.
   */
  readonly prompt?: Prompt | undefined;
  /**
   * What is read and put beside the sources of `prompt`. What a later open gives is used when the prompt
   * is next made again; one that gives none keeps what was given.
   */
  readonly assembly?: Assembly | undefined;
  /**
   * In the order in which they are sent. Fixed when the session begins: what a later open gives is
   * not used (§10.4).
   */
  readonly tools?: readonly Tool[] | undefined;
  /**
   * Whether the model is told of ids and recall (§9), and offered the tool `recall`, after `tools`, if
   * none of them has that name. Fixed as `tools` are. Default true.
   */
  readonly recall?: boolean | undefined;
  /** Whether the model sees images. Default true. */
  readonly vision?: boolean | undefined;
  /**
   * A subagent's narrowing: only the tools of these names are offered. They may be of servers that connect
   * later. Default: all.
   */
  readonly onlyTools?: readonly string[] | undefined;
  /** Names of tools that the configuration or the person switched off. */
  readonly withoutTools?: readonly string[] | undefined;
  /** The conditions that are met as the session begins. */
  readonly conditions?: readonly string[] | undefined;
}
