/** The plan of a recording, as docs/replay.md describes it. The importers' types: JSON as parsed. */
import type { Outcome, Reply, Settings, UserMessage } from '../values.js';

export interface Plan {
  readonly format: string;
  readonly sessions: readonly PlannedSession[];
}

export interface PlannedSession {
  /** Safe as a file's name. */
  readonly name: string;
  /** The importer's account, handed back as it is. */
  readonly about: unknown;
  /** What its requests were under each policy but Waybread's, handed back as it is. */
  readonly policies: unknown;
  /** With a window, its numbers, handed back as they are. */
  readonly window?: unknown;
  readonly contexts: readonly Context[];
}

/** What one request can hold. */
export interface Context {
  readonly name: string;
  /** A session's settings; `home` is null where there is none. */
  readonly settings: Omit<Settings, 'home'> & { readonly home: string | null };
  readonly steps: readonly Step[];
  /** With a window, the reply to each request for a summary. */
  readonly stand_in?: string;
}

export type Step =
  | { readonly do: 'write-file'; readonly path: string; readonly content: string }
  | { readonly do: 'delete-file'; readonly path: string }
  | AddMessage
  | { readonly do: 'build-request' }
  | InsertResult;

export type AddMessage = { readonly do: 'add-message' } & (
  { readonly user: UserMessage } | { readonly reply: Reply }
);

export type InsertResult = {
  readonly do: 'insert-result';
  /** How the report counts it, handed back as it is. */
  readonly as: string;
  readonly call: string;
  readonly tool: string;
  readonly arguments: string;
} & Exclude<Outcome, { readonly delegated: unknown }>;
