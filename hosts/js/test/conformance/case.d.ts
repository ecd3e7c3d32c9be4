/** The case format of conformance/README.md, as `read.mjs` hands it over. */

export type Text = string | readonly (string | Piece)[];
export type Piece = { repeat: string; times: number } | { count: string; from: number; to: number };
export interface Bytes {
  base64: string;
}
export type Content = Text | Bytes;
export type Entry =
  Content | { link: string } | { directory: true } | { denied: true } | { broken: string };

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

/** `overrides` and a call's `arguments` are text already: the JSON as it is written. */
export interface CaseSettings {
  kind?: 'agent' | 'chat';
  root?: string;
  home?: string | null;
  overrides?: string;
}

export interface InsertResult {
  do: 'insert-result';
  call?: string;
  tool?: string;
  arguments?: string;
  read?: { path: string; offset?: number; limit?: number; force?: boolean };
  output?: Text;
  failure?: Text;
  changes?: { files: { path: string; before?: Content; after?: Content }[]; note?: Text };
}

export interface Recall {
  do: 'recall';
  call?: string;
  id: string;
  offset?: number;
  limit?: number;
}

export type Step =
  | InsertResult
  | Recall
  | { do: 'stored-text'; id: string }
  | { do: 'last-read'; path: string }
  | { do: 'resolve-path'; path: string }
  | { do: 'reopen'; settings?: CaseSettings }
  | { do: 'write-file'; path: string; content: Entry }
  | { do: 'delete-file'; path: string }
  | { do: 'fail-storage'; error: 'denied' | 'full' | { other: string } };
