/** What the compiler knows: `tsc` fails where these are wrong. */
import { expectTypeOf, it } from 'vitest';
import type {
  Added,
  Assembly,
  Change,
  Compaction,
  CompactionEnd,
  CompactionStart,
  CompactOptions,
  CompactResult,
  ContextReport,
  ContextState,
  DelegateState,
  Delegation,
  diagnose,
  Diagnosis,
  Difference,
  ErrorDetail,
  FallbackDecision,
  FileSystem,
  FinishOptions,
  Generation,
  Hosts,
  IdleTime,
  Inserted,
  LastRead,
  MainRequest,
  Message,
  ModelRef,
  NoteOptions,
  Outcome,
  Part,
  Prefix,
  Pressure,
  Prompt,
  PromptBlock,
  Request,
  RequestReport,
  Send,
  Session,
  Settings,
  SkillChange,
  SkillState,
  SkillTruncated,
  Snapshot,
  Storage,
  StorageProblem,
  StoredMessage,
  SummaryOutcome,
  SummaryTarget,
  Tool,
  Treatment,
  Usage,
  Waybread,
  WaybreadError,
} from '../src/index.js';
import type { Directory, writeHistory } from '../src/node.js';
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

it('a conversation goes in as values or JSON, and comes out typed', () => {
  expectTypeOf<Session['addMessage']>().parameters.toEqualTypeOf<[Message]>();
  expectTypeOf<Session['addMessage']>().returns.toEqualTypeOf<Added>();
  expectTypeOf<Session['buildRequest']>().parameters.toEqualTypeOf<
    [(string | object | undefined)?]
  >();
  expectTypeOf<Session['buildRequest']>().returns.toEqualTypeOf<Request>();
  expectTypeOf<Request['body']>().toBeString();
  expectTypeOf<Request['difference']>().toEqualTypeOf<Difference | undefined>();
  expectTypeOf<Session['rewind']>().parameters.toEqualTypeOf<[number, (number | undefined)?]>();
  expectTypeOf<Session['fork']>().parameters.toEqualTypeOf<[string, (number | undefined)?]>();
  expectTypeOf<Session['note']>().parameters.toEqualTypeOf<[Change, (NoteOptions | undefined)?]>();
  expectTypeOf<Session['setPrompt']>().parameters.toEqualTypeOf<[Prompt]>();
  expectTypeOf<Session['setCondition']>().parameters.toEqualTypeOf<[string, boolean]>();
  expectTypeOf<Session['withdrawTool']>().parameters.toEqualTypeOf<[string, string]>();
  expectTypeOf<Session['connectServer']>().parameters.toEqualTypeOf<
    [string, readonly Tool[], (string | undefined)?]
  >();
  expectTypeOf<Session['recordUsage']>().parameters.toEqualTypeOf<[number, string | object]>();
  expectTypeOf<Session['recordUsage']>().returns.toEqualTypeOf<Usage>();
  expectTypeOf<Session['cacheReport']>().returns.toEqualTypeOf<readonly RequestReport[]>();
  expectTypeOf<Session['conversation']>().returns.toEqualTypeOf<readonly StoredMessage[]>();
  expectTypeOf<Session['prefix']>().returns.toEqualTypeOf<Prefix>();
  expectTypeOf<Session['setting']>().returns.toBeString();
  expectTypeOf<Session['namePath']>().returns.toBeString();
  expectTypeOf<Session['checkPaths']>().returns.toBeVoid();
});

it('a compaction is asked for, and answered in one of two ways', () => {
  expectTypeOf<Session['pressure']>().returns.toEqualTypeOf<Pressure>();
  expectTypeOf<Request['pressure']>().toEqualTypeOf<Pressure>();
  expectTypeOf<Session['compactBegin']>().parameters.toEqualTypeOf<[(Compaction | undefined)?]>();
  expectTypeOf<Session['compactBegin']>().returns.toEqualTypeOf<CompactionStart>();
  expectTypeOf<Session['compactFinish']>().parameters.toEqualTypeOf<
    [SummaryOutcome, (FinishOptions | undefined)?]
  >();
  expectTypeOf<Session['compactFinish']>().returns.toEqualTypeOf<CompactionEnd>();
  const told = ({ request, notApplied }: CompactionStart, { applied, ...end }: CompactionEnd) => [
    request === undefined ? notApplied.message : request.body,
    applied ? applied.summary : end.notApplied?.message,
  ];
  expectTypeOf(told).returns.items.toEqualTypeOf<string | undefined>();
  expectTypeOf<{ reply: object }>().toExtend<SummaryOutcome>();
  expectTypeOf<{ failed: Error }>().not.toExtend<SummaryOutcome>();
  expectTypeOf<{ fallback: { provider: string; model: string } }>().toExtend<SummaryTarget>();
  expectTypeOf<'fallback'>().not.toExtend<SummaryTarget>();
});

it('a whole compaction is awaited', () => {
  expectTypeOf<Session['compact']>().parameters.toEqualTypeOf<
    [Send, (CompactOptions | undefined)?]
  >();
  expectTypeOf<Session['compact']>().returns.resolves.toEqualTypeOf<CompactResult>();
  expectTypeOf<() => Promise<string>>().toExtend<Send>();
  expectTypeOf<(request: { body: string }) => Promise<object>>().toExtend<Send>();
  expectTypeOf<() => Promise<undefined>>().not.toExtend<Send>();
});

it('times are numbers, and what a compaction leaves is typed', () => {
  expectTypeOf<MainRequest['at']>().toBeNumber();
  expectTypeOf<Session['lastMainRequest']>().returns.toEqualTypeOf<MainRequest | undefined>();
  expectTypeOf<Session['fallbackDue']>().parameters.toEqualTypeOf<[ModelRef, IdleTime]>();
  expectTypeOf<Session['fallbackDue']>().returns.toEqualTypeOf<FallbackDecision>();
  expectTypeOf<Session['lineage']>().returns.toEqualTypeOf<readonly Generation[]>();
  expectTypeOf<Session['generation']>().returns.toEqualTypeOf<readonly StoredMessage[]>();
  expectTypeOf<Session['history']>().returns.toBeString();
  expectTypeOf<Session['contextState']>().returns.toEqualTypeOf<ContextState>();
  expectTypeOf<ReturnType<typeof writeHistory>>().toEqualTypeOf<boolean>();
  expectTypeOf<Session>().toExtend<Parameters<typeof writeHistory>[0]>();
});

it('a prompt is assembled and told of, and skills come and go', () => {
  expectTypeOf<Session['setAssembly']>().parameters.toEqualTypeOf<[Assembly]>();
  expectTypeOf<{ contextFiles: string[]; skillRoots: string[] }>().toExtend<Assembly>();
  expectTypeOf<Settings['assembly']>().toEqualTypeOf<Assembly | undefined>();
  expectTypeOf<Session['promptReport']>().returns.toEqualTypeOf<readonly PromptBlock[]>();
  expectTypeOf<Session['enableSkill']>().parameters.toEqualTypeOf<
    [string, (string | undefined)?]
  >();
  expectTypeOf<Session['enableSkill']>().returns.toEqualTypeOf<SkillTruncated | undefined>();
  expectTypeOf<Session['disableSkill']>().returns.toBeVoid();
  expectTypeOf<Session['skills']>().returns.toEqualTypeOf<readonly SkillState[]>();
  expectTypeOf<Added['skills']>().toEqualTypeOf<readonly SkillChange[]>();
});

it('a subagent has a session like any other', () => {
  expectTypeOf<Session['delegate']>().parameters.toEqualTypeOf<[Delegation]>();
  expectTypeOf<Session['delegate']>().returns.toEqualTypeOf<Session>();
  expectTypeOf<{ key: string; kind: string }>().toExtend<Delegation>();
  expectTypeOf<{ key: string }>().not.toExtend<Delegation>();
  expectTypeOf<Delegation['assembly']>().toEqualTypeOf<Assembly | undefined>();
  expectTypeOf<Session['delegateProgress']>().parameters.toEqualTypeOf<[string, string]>();
  expectTypeOf<Session['delegates']>().returns.toEqualTypeOf<readonly DelegateState[]>();
});

it('what a request holds is told, and compared', () => {
  expectTypeOf<Session['snapshot']>().returns.toEqualTypeOf<Snapshot>();
  expectTypeOf<typeof diagnose>().parameters.toEqualTypeOf<[Snapshot | undefined, Snapshot]>();
  expectTypeOf<typeof diagnose>().returns.resolves.toEqualTypeOf<Diagnosis>();
  expectTypeOf<Waybread['diagnose']>().returns.toEqualTypeOf<Diagnosis>();
  expectTypeOf<Session['contextReport']>().parameters.toEqualTypeOf<
    [(string | object | undefined)?]
  >();
  expectTypeOf<Session['contextReport']>().returns.toEqualTypeOf<ContextReport>();
});

it('a message is one of three, a part one of four', () => {
  expectTypeOf<{ user: { text: string; date?: string } }>().toExtend<Message>();
  expectTypeOf<{ reply: { json: string; incomplete: boolean } }>().toExtend<Message>();
  expectTypeOf<{ reply: { json: { content: string }[] } }>().toExtend<Message>();
  expectTypeOf<{ wrapUp: true }>().toExtend<Message>();
  expectTypeOf<{ wrapUp: false }>().not.toExtend<Message>();
  expectTypeOf<{ user: { sender: 'tool' } }>().not.toExtend<Message>();
  expectTypeOf<{ image: { mediaType: string; base64: string } }>().toExtend<Part>();
  expectTypeOf<{ imageUrl: string }>().toExtend<Part>();
  expectTypeOf<{ block: object }>().toExtend<Part>();
  expectTypeOf<{ audio: string }>().not.toExtend<Part>();
});

it('an outcome is one of five', () => {
  expectTypeOf<{ output: string }>().toExtend<Outcome>();
  expectTypeOf<{ failure: string }>().toExtend<Outcome>();
  expectTypeOf<{ delegated: { key: string; text: string } }>().toExtend<Outcome>();
  expectTypeOf<{ delegated: string }>().not.toExtend<Outcome>();
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
  expectTypeOf<{ root: string; dialect: 'openai-chat'; tools: Tool[] }>().toExtend<Settings>();
  expectTypeOf<{ root: string; dialect: 'openai' }>().not.toExtend<Settings>();
  expectTypeOf<{ root: string; tools: { title: string }[] }>().not.toExtend<Settings>();
});

it('an error is told apart by its code', () => {
  expectTypeOf<WaybreadError>().toExtend<Error>();
  expectTypeOf<WaybreadError['code']>().toEqualTypeOf<ErrorDetail['code']>();
  const detail = {} as ErrorDetail;
  if (detail.code === 'call-answered') expectTypeOf(detail.id).toBeString();
  if (detail.code === 'unknown-call') expectTypeOf(detail.open).toEqualTypeOf<readonly string[]>();
  if (detail.code === 'unknown-message') expectTypeOf(detail.number).toBeNumber();
  if (detail.code === 'unknown-request') expectTypeOf(detail.number).toBeNumber();
  if (detail.code === 'unknown-generation') expectTypeOf(detail.number).toBeNumber();
  if (detail.code === 'out-of-order') expectTypeOf(detail.problem).toBeString();
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
