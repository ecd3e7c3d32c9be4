/** The part of a session that has to do with its prompt, its skills, and what fills the window. */
import * as toGlue from '../arguments.js';
import type {
  Assembly,
  ContextReport,
  Json,
  Prompt,
  PromptBlock,
  SkillState,
  SkillTruncated,
  Snapshot,
} from '../values.js';
import { CompactingSession } from './compacting.js';

/** What {@link Session} has of docs/assembly.md; nothing else is made of it. */
export abstract class AssemblingSession extends CompactingSession {
  /**
   * What the system prompt is to be made of when it is next made again (§10.1): after a
   * compaction, or at a change of model. What was sent stands until then.
   *
   * @throws {@link WaybreadError}: `out-of-order` without a dialect.
   */
  setPrompt(prompt: Prompt): void {
    const gluePrompt = toGlue.prompt(prompt, 'prompt');
    this.instance.call((inner) => {
      inner.setPrompt(gluePrompt);
    });
  }

  /**
   * What is to be read when the prompt is next made again (docs/assembly.md, "When files are read").
   *
   * @throws {@link WaybreadError}: `invalid-argument` for a context file out of the project;
   * `out-of-order` without a dialect.
   */
  setAssembly(assembly: Assembly): void {
    const glueAssembly = toGlue.assembly(assembly, 'assembly');
    this.instance.call((inner) => {
      inner.setAssembly(glueAssembly);
    });
  }

  /** The blocks of the prompt, in their order, as they were made (docs/assembly.md, "Sources and zones"). */
  promptReport(): readonly PromptBlock[] {
    return this.instance.call((inner) => inner.promptReport());
  }

  /**
   * Switches a skill on: its text goes ahead of the next message that starts a turn. Nothing that was sent
   * changes (docs/assembly.md, "Skills that come and go"). Without a text it is read from the skill roots of
   * the assembly. Answers what was cut of it; undefined if nothing was.
   *
   * @throws {@link WaybreadError}: `invalid-argument` for an empty name or a skill that no root has;
   * `filesystem`; `out-of-order` without a dialect.
   *
   * @example
   * ```ts
   * session.enableSkill('review', 'Read the whole diff first.');
   * session.addMessage({ user: { text: 'Have a look at my branch.' } }).skills;
   * // [{ name: 'review', active: true }]
   * ```
   */
  enableSkill(name: string, text?: string): SkillTruncated | undefined {
    const glueName = toGlue.string(name, 'name');
    const glueText = text === undefined ? undefined : toGlue.string(text, 'text');
    return this.instance.call((inner) => inner.enableSkill(glueName, glueText));
  }

  /**
   * Switches a skill off: the next message that starts a turn says so.
   *
   * @throws {@link WaybreadError}: `invalid-argument` for one that is not on; `out-of-order`.
   */
  disableSkill(name: string): void {
    const glueName = toGlue.string(name, 'name');
    this.instance.call((inner) => {
      inner.disableSkill(glueName);
    });
  }

  /**
   * The skills that are on, in the order in which they were switched on, then those that are off and of
   * which the model was not told so yet.
   */
  skills(): readonly SkillState[] {
    return this.instance.call((inner) => inner.skills());
  }

  /**
   * What the newest request held (docs/assembly.md, "Snapshots"): a copy, for {@link diagnose}. The session
   * keeps none.
   *
   * @throws {@link WaybreadError}: `out-of-order` without a request, or if messages of it were taken back
   * or summarised since; `storage`.
   */
  snapshot(): Snapshot {
    return this.instance.call((inner) => inner.snapshot());
  }

  /**
   * What the next request would hold, part by part (docs/assembly.md, "What fills the window"). Nothing is
   * built. `parameters` as {@link Session.buildRequest} takes them; empty for those of the newest request, if
   * there is one.
   *
   * @throws {@link WaybreadError}: `invalid-argument`; `out-of-order` without a dialect or a message;
   * `storage`.
   */
  contextReport(parameters: Json = ''): ContextReport {
    const glueParameters = toGlue.json(parameters, 'parameters');
    return this.instance.call((inner) => inner.contextReport(glueParameters));
  }
}
