/** What the compiler knows: `tsc` fails where these are wrong. */
import { expectTypeOf, it } from 'vitest';
import type {
  Session,
  WaybreadError,
  ErrorDetail,
  FileSystem,
  Hosts,
  Inserted,
  LastRead,
  Outcome,
  Settings,
  Storage,
  StorageProblem,
  Treatment,
} from '../src/index.js';
import type { Directory } from '../src/node.js';
import type { SqliteStorage } from '../src/sqlite.js';

it('a session is opened with a promise, and answers at once', () => {
  expectTypeOf<typeof Session.open>().parameters.toEqualTypeOf<[string, Settings, Hosts]>();
  expectTypeOf<typeof Session.open>().returns.resolves.toEqualTypeOf<Session>();
  expectTypeOf<Session['insertResult']>().returns.toEqualTypeOf<Inserted>();
  expectTypeOf<Session['recall']>().returns.toEqualTypeOf<Inserted>();
  expectTypeOf<Session['storedText']>().returns.toBeString();
  expectTypeOf<Session['lastRead']>().returns.toEqualTypeOf<LastRead | undefined>();
  expectTypeOf<Session['reopen']>().returns.toBeVoid();
});

it('an outcome is one of four', () => {
  expectTypeOf<{ output: string }>().toExtend<Outcome>();
  expectTypeOf<{ failure: string }>().toExtend<Outcome>();
  expectTypeOf<{ read: { path: string; offset?: number } }>().toExtend<Outcome>();
  expectTypeOf<{ changes: { files: { path: string; after: Uint8Array }[] } }>().toExtend<Outcome>();
  expectTypeOf<{ result: string }>().not.toExtend<Outcome>();
  expectTypeOf<{ output: number }>().not.toExtend<Outcome>();
});

it('settings need a root, and know the two kinds', () => {
  expectTypeOf<{ root: string }>().toExtend<Settings>();
  expectTypeOf<{ root: string; overrides: { context: object } }>().toExtend<Settings>();
  expectTypeOf<object>().not.toExtend<Settings>();
  expectTypeOf<{ root: string; kind: 'robot' }>().not.toExtend<Settings>();
});

it('an error is told apart by its code', () => {
  expectTypeOf<WaybreadError>().toExtend<Error>();
  expectTypeOf<WaybreadError['code']>().toEqualTypeOf<ErrorDetail['code']>();
  const detail = {} as ErrorDetail;
  if (detail.code === 'call-answered') expectTypeOf(detail.id).toBeString();
  if (detail.code === 'conflict') expectTypeOf(detail.length).toBeNumber();
  if (detail.code === 'storage') expectTypeOf(detail.error).toEqualTypeOf<StorageProblem>();
});

it('the measures are those of the contract', () => {
  expectTypeOf<Treatment>().toEqualTypeOf<
    'full' | 'capped' | 'unchanged-read' | 'same-result' | 'failed'
  >();
});

it('the parts fit', () => {
  expectTypeOf<SqliteStorage>().toExtend<Storage>();
  expectTypeOf<Directory>().toExtend<FileSystem>();
});
