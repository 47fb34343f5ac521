// Reading from disk: where sessions are, which exist, and each of them as a Conversation; the index, and search in it;
// the store, which writes sessions; the archive, which keeps them; and what puts a broken one right.

export { readCatalogue } from './archive/catalogue.ts'
export type { ArchivedFile, Catalogue, SnapshotHead, SourceFile } from './archive/model.ts'
export type { Archive, ArchivePlace } from './archive/open-archive.ts'
export { archiveFolder, openArchive } from './archive/open-archive.ts'
export type { RestoredFile, RestoreOptions, RestoreOutcome } from './archive/restore.ts'
export { restoreFiles } from './archive/restore.ts'
export type { SnapshotOptions, SnapshotProgress, SnapshotTaken } from './archive/snapshot.ts'
export { takeSnapshot } from './archive/snapshot.ts'
export { sourceFiles } from './archive/source-files.ts'
export type { VerifyOptions, VerifyReport } from './archive/verify.ts'
export { verifyArchive } from './archive/verify.ts'
export type { Disk, DiskStat } from './disk/disk.ts'
export { REAL_DISK } from './disk/real-disk.ts'
export type { Access } from './load/access.ts'
export type { Bodies } from './load/bodies.ts'
export { openBodies } from './load/bodies.ts'
export type { CheckedFile } from './load/check.ts'
export { checkProject } from './load/check.ts'
export type { FoundSession } from './load/find.ts'
export { findSession } from './load/find.ts'
export type { FoundTranscripts, Project } from './load/found.ts'
export { findTranscripts } from './load/found.ts'
export type { ListedConversation } from './load/list.ts'
export { listConversations } from './load/list-all.ts'
export type { LoadedFile } from './load/read.ts'
export { loadFile } from './load/read.ts'
export type { OpenSession, SessionChild } from './load/session.ts'
export { openSession, openSubagent } from './load/session.ts'
export type { UsageFile } from './load/usage.ts'
export { readUsage } from './load/usage.ts'
export type {
  ApiTrouble,
  BrokenPromise,
  Fix,
  Health,
  Prognosis,
  PrognosisOutcome,
  PromiseCode,
  Quarantined,
  Refusal,
  RefusalCode,
  RepairPlan,
  RepairStep,
  StepCode,
  StepRecord,
  TipFacts,
} from './mend/model.ts'
export type { Repair, RepairOptions } from './mend/plan.ts'
export { planRepair, prognosisOf } from './mend/plan.ts'
export { proveRepair } from './mend/prove.ts'
export type { TranscriptBytes } from './mend/transcript-bytes.ts'
export { bytesInFile, bytesInMemory } from './mend/transcript-bytes.ts'
export type { RepairTarget } from './mend/write-out.ts'
export type { Day, GatherOptions } from './notebook/gather.ts'
export { briefSource, gatherBriefs } from './notebook/gather.ts'
export type { GoneConversation } from './search/access.ts'
export type { ExactOptions, ExactResult } from './search/exact.ts'
export type { IndexPlace } from './search/index-path.ts'
export { indexPath } from './search/index-path.ts'
export type { Ingested } from './search/ingest.ts'
export type { IngestOptions } from './search/ingest-work.ts'
export type { SearchField, SearchHit, SearchOptions, SearchResult, Snippet } from './search/model.ts'
export type { FoundAnywhere } from './search/open-index.ts'
export { Index } from './search/open-index.ts'
export { scanFiles } from './search/scan.ts'
export type { ScanHit, ScanOptions, ScanPattern, ScanResult, ScanTarget } from './search/scan-model.ts'
export type { ConversationFilter } from './search/scope.ts'
export type { Discovery } from './source/discover.ts'
export { discover } from './source/discover.ts'
export type { FollowChange, FollowOptions, FollowStep } from './source/follow.ts'
export { Follower } from './source/follow.ts'
export { readLines } from './source/lines.ts'
export type { AgentMeta, TranscriptFile, TranscriptRole } from './source/model.ts'
export { openTranscript } from './source/open.ts'
export type { RootChoice, RootSettings } from './source/roots.ts'
export { chooseRoots } from './source/roots.ts'
export type { SyncRule } from './store/appender.ts'
export type { ApiUsage, Surroundings, ToolResult } from './store/client-record.ts'
export type { FromEventLogOptions, ToEventLogOptions } from './store/event-log.ts'
export { fromEventLog, toEventLog } from './store/event-log.ts'
export type { FitOptions, Summarise, SummaryTurn } from './store/fit.ts'
export { compactToFit, extract, tokensOf } from './store/fit.ts'
export type { ApiMessage } from './store/messages.ts'
export { messagesOf } from './store/messages.ts'
export type {
  CreateOptions,
  ForkOptions,
  LoadedSession,
  ResumeOptions,
  StoreOptions,
} from './store/open-store.ts'
export { openStore, Store } from './store/open-store.ts'
export type { HeldLock, SessionLock } from './store/session-lock.ts'
export type { SessionStore, SessionStoreOptions } from './store/session-store.ts'
export { sessionStore } from './store/session-store.ts'
export type { StoreErrorCode } from './store/store-error.ts'
export { StoreError } from './store/store-error.ts'
export type { StoredRow } from './store/stored-rows.ts'
export type { CompactOptions, EndFacts, ReplyOptions, StoredSession } from './store/stored-session.ts'
export type { ChainedRecord } from './store/stored-transcript.ts'
