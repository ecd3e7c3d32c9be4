/** The case format of conformance/README.md, as `read.mjs` hands it over. */
import type {
  ChangeKind,
  Delivery,
  Dialect,
  Kind,
  PendingSubagent,
  PromptPart,
  Sender,
  Stage,
} from 'waybread';

export type Text = string | readonly (string | Piece)[];
export type Piece = { repeat: string; times: number } | { count: string; from: number; to: number };
export interface Bytes {
  base64: string;
}
export type Content = Text | Bytes;
export type Entry =
  Content | { link: string } | { directory: true } | { denied: true } | { broken: string };

/** JSON as it is written, or the content of a string that stood in its place. */
type Verbatim = string;

export interface CaseFile {
  area: string;
  cases: Case[];
}

export interface Case {
  name: string;
  settings?: CaseSettings;
  files?: Record<string, Entry>;
  steps?: Step[];
}

export interface CaseSettings {
  kind?: Kind;
  dialect?: Dialect | null;
  root?: string;
  home?: string | null;
  overrides?: Verbatim;
  start?: string | null;
  prompt?: CasePrompt;
  assembly?: CaseAssembly;
  tools?: CaseTool[];
  recall?: boolean;
  vision?: boolean;
  'only-tools'?: string[] | null;
  'without-tools'?: string[];
  conditions?: string[];
}

export interface CasePrompt {
  sources?: { part: PromptPart; name?: string; text: Text }[];
  told?: CaseChange[];
}

export interface CaseAssembly {
  scope?: string;
  instructions?: boolean;
  'context-files'?: string[];
  ignore?: string[];
  'skill-roots'?: string[];
  skills?: string[];
}

export interface CaseChange {
  kind: ChangeKind;
  name?: string;
  text?: Text;
}

export interface CaseTool {
  name: string;
  description?: string;
  parameters?: Verbatim;
  definition?: Verbatim | null;
  requires?: string[];
  unavailable?: string | null;
  kinds?: Kind[];
  vision?: boolean;
}

export interface InsertResult {
  do: 'insert-result';
  call?: string;
  tool?: string;
  arguments?: Verbatim;
  read?: { path: string; offset?: number; limit?: number; force?: boolean };
  output?: Text;
  failure?: Text;
  delegated?: { key: string; text: Text };
  changes?: { files: { path: string; before?: Content; after?: Content }[]; note?: Text };
}

export interface Recall {
  do: 'recall';
  call?: string;
  id: string;
  offset?: number;
  limit?: number;
  'char-offset'?: number;
  'char-limit'?: number;
}

export type CasePart =
  | { text: Text }
  | { image: { 'media-type': string; base64: string } }
  | { 'image-url': string }
  | { block: Verbatim };

export interface AddMessage {
  do: 'add-message';
  user?: {
    text?: Text;
    sender?: Sender;
    delivery?: Delivery;
    parts?: CasePart[];
    date?: string | null;
  };
  reply?: { json: Verbatim; incomplete?: boolean };
  'wrap-up'?: true;
}

export interface CaseModel {
  provider: string;
  model: string;
}

export interface CaseFallback extends CaseModel {
  parameters?: Verbatim;
  window?: number;
  'max-output'?: number;
  reason?: string;
}

export interface CompactBegin {
  do: 'compact-begin';
  stage?: Stage;
  main?: CaseModel | null;
  parameters?: Verbatim;
  target?: 'main' | { fallback: CaseFallback } | { unresolved: string };
  steering?: string | null;
}

export interface CompactFinish {
  do: 'compact-finish';
  reply?: Verbatim;
  failed?: string;
  cancelled?: true;
  'state-retired'?: boolean;
  'pending-subagents'?: PendingSubagent[];
}

export interface Delegate {
  do: 'delegate';
  key: string;
  kind: string;
  prompt?: CasePrompt;
  assembly?: CaseAssembly;
  'only-tools'?: string[] | null;
}

/** A step on the session. */
export type SessionStep =
  | InsertResult
  | Recall
  | AddMessage
  | CompactBegin
  | CompactFinish
  | { do: 'stored-text'; id: string }
  | { do: 'last-read' | 'resolve-path' | 'name-path'; path: string }
  | { do: 'build-request' | 'pressure' | 'context-report'; parameters?: Verbatim }
  | { do: 'rewind'; first: number; last?: number }
  | { do: 'fork'; key: string; after?: number }
  | ({ do: 'note'; 'by-model'?: boolean } & CaseChange)
  | { do: 'set-prompt'; prompt: CasePrompt }
  | { do: 'set-assembly'; assembly: CaseAssembly }
  | { do: 'prompt-report' | 'skills' | 'delegates' }
  | { do: 'enable-skill'; name: string; text?: Text | null }
  | { do: 'disable-skill'; name: string }
  | { do: 'delegate-progress'; key: string; state: string }
  | { do: 'set-condition'; name: string; met: boolean }
  | { do: 'withdraw-tool'; name: string; refusal: string }
  | { do: 'connect-server'; name: string; tools: CaseTool[]; instructions?: string | null }
  | { do: 'record-usage'; number: number; usage: Verbatim }
  | ({ do: 'main-request-answered'; 'cache-key'?: string; at: number } & CaseModel)
  | ({ do: 'fallback-due'; 'cache-key'?: string; 'after-ms': number; now: number } & CaseModel)
  | { do: 'generation'; number: number }
  | { do: 'last-main-request' | 'lineage' | 'history' | 'context-state' }
  | { do: 'cache-report' | 'conversation' | 'prefix' }
  | { do: 'setting'; key: string }
  | { do: 'check-paths'; name: string; text: Text };

/** A step around it. */
export type Step =
  | SessionStep
  | Delegate
  | { do: 'diagnose'; earlier: number | null; later: number }
  | { do: 'snapshot' | 'file-reads' }
  | { do: 'reopen'; settings?: CaseSettings; key?: string }
  | { do: 'write-file'; path: string; content: Entry }
  | { do: 'delete-file'; path: string }
  | { do: 'fail-storage'; error: 'denied' | 'full' | { other: string }; after?: number };

/** The steps that do one of these. */
export type Doing<Name extends Step['do']> = Extract<Step, { do: Name }>;
