// The pure core: runs in Node and in a browser, touches nothing. Bytes go in as Lines, Conversations come out.

export type { Position, Problem, ProblemCode, Severity } from './base/problem.ts'
export { PROBLEMS } from './base/problem.ts'
export { earlierTranscripts } from './conversation/ancestors.ts'
export type { ConversationSource, LoadedTranscript, Woven } from './conversation/build.ts'
export { conversationProblems, weave } from './conversation/build.ts'
export { conversationOf } from './conversation/conversation.ts'
export type {
  Branch,
  Conversation,
  Island,
  PlacedRecord,
  Reply,
  Segment,
  Subagent,
  ToolCall,
  Turn,
} from './conversation/model.ts'
export type { NormalSession, NormalStep } from './conversation/normal-session.ts'
export { normalSession } from './conversation/normal-session.ts'
export type { BodyOf, Part, ReplyBlock, ToolPart } from './conversation/parts.ts'
export { partsOf } from './conversation/parts.ts'
export type { Reach } from './conversation/reach.ts'
export { reachOf } from './conversation/reach.ts'
export type { Reading, ReadingRule } from './conversation/reading.ts'
export { branchesOfConversation, readContextTurns, readFull } from './conversation/reading.ts'
export type { AgentTranscript } from './conversation/subagents.ts'
export type { ConversationSummary } from './conversation/summary.ts'
export { summarise } from './conversation/summary.ts'
export { titleOf } from './conversation/title.ts'
export { briefOf } from './digest/brief.ts'
export { referenceOf } from './digest/citation.ts'
export type { JournalDay, JournalProject, JournalSession } from './digest/journal.ts'
export { journalDay } from './digest/journal.ts'
export type { Brief, Citation, Digest, TurnBrief } from './digest/model.ts'
export type { ReadPrices } from './digest/price-file.ts'
export { readPrices } from './digest/price-file.ts'
export type { FoundPrice, LongPrompt, ModelPrice, Price, PriceTable } from './digest/prices.ts'
export { LIST_PRICES } from './digest/prices.ts'
export type { Calendar } from './digest/usage-calendar.ts'
export { calendarOf } from './digest/usage-calendar.ts'
export type { CountedMessage, UsageCopy, UsageSource } from './digest/usage-fold.ts'
export { foldUsage } from './digest/usage-fold.ts'
export type { UsageBy, UsageRow, UsageTable } from './digest/usage-rows.ts'
export { usageTable } from './digest/usage-rows.ts'
export type { PricedTokens, UsageCounts } from './digest/usage-sums.ts'
export type { BriefSource, Holds } from './digest/work.ts'
export type { TipRule } from './graph/context.ts'
export type { Edge, EdgeKind, Graph, GraphNode } from './graph/model.ts'
export { graphOf } from './graph/model.ts'
export type { Relation } from './graph/relate.ts'
export { relate } from './graph/relate.ts'
export type { Dialect } from './record/dialect.ts'
export type { Drift, DriftCounts } from './record/drift.ts'
export { countDrift, driftOf } from './record/drift.ts'
export type { Labels } from './record/labels.ts'
export { gatherLabels, newLabels } from './record/labels.ts'
export type {
  Author,
  Body,
  Boundary,
  ByteAccount,
  Envelope,
  InjectionKind,
  Links,
  RecordKind,
  TokensAround,
  ToolResultRef,
  ToolUseRef,
  Usage,
} from './record/model.ts'
export type { ReadBytesOptions } from './record/read-bytes.ts'
export { readTranscriptBytes } from './record/read-bytes.ts'
export type { Scanner } from './record/scanner.ts'
export { openScanner } from './record/scanner.ts'
export type { Sketch } from './record/sketch.ts'
export { splitLines } from './record/split.ts'
export type { ReadTranscript, Visit } from './record/transcript.ts'
export { readTranscript } from './record/transcript.ts'
export type { UsageRecord } from './record/usage-record.ts'
export { usageRecordOf } from './record/usage-record.ts'
export type { VisitSketch } from './record/window.ts'
export type { Finding, Found, Redacted, Redactor, RedactorOptions } from './redact/model.ts'
export { createRedactor } from './redact/redactor.ts'
export type { ConversationModel, SubagentModel } from './render/export/conversation-document.ts'
export { conversationDocument, importConversation } from './render/export/conversation-document.ts'
export { safe, toJson } from './render/terminal.ts'
export type { Line } from './source/model.ts'
