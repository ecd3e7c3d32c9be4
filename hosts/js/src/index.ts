/**
 * Waybread: the context rules for LLM agent harnesses.
 *
 * This entry loads in Node and in browsers. `waybread/node` has files on the disk, `waybread/sqlite`
 * sessions in SQLite, `waybread/replay` recorded sessions put through the rules.
 *
 * @module
 */
export type { CompactionAttempt, CompactOptions, CompactResult, Send } from './compact.js';
export { diagnose } from './diagnose.js';
export {
  FileError,
  ReentryError,
  StorageError,
  TrappedError,
  WaybreadError,
  type ErrorDetail,
  type FileProblem,
  type StorageProblem,
} from './errors.js';
export { load, type Waybread } from './load.js';
export { MemoryStorage } from './memory-storage.js';
export { MemoryTree } from './memory-tree.js';
export type { File, FileSystem, Hosts, Storage, StoredText } from './ports.js';
export { Session } from './session.js';
export type * from './values.js';
