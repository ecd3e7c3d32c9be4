/** The plan of a recording, as docs/replay.md describes it. The importers' types: JSON as parsed. */
import type { Outcome } from '../values.js';

export interface Plan {
  readonly format: string;
  readonly sessions: readonly PlannedSession[];
}

export interface PlannedSession {
  /** Safe as a file's name. */
  readonly name: string;
  /** The importer's account, handed back as it is. */
  readonly about: unknown;
  readonly contexts: readonly Context[];
}

/** What one request can hold. */
export interface Context {
  readonly name: string;
  readonly settings: {
    readonly kind: 'agent' | 'chat';
    readonly root: string;
    readonly home: string | null;
    readonly overrides: Readonly<Record<string, unknown>>;
  };
  readonly steps: readonly Step[];
}

export type Step =
  | { readonly do: 'write-file'; readonly path: string; readonly content: string }
  | { readonly do: 'delete-file'; readonly path: string }
  | InsertResult;

export type InsertResult = {
  readonly do: 'insert-result';
  /** How the report counts it, handed back as it is. */
  readonly as: string;
  readonly call: string;
  readonly tool: string;
  readonly arguments: string;
} & Outcome;
