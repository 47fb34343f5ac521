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
export type { TipRule } from './graph/context.ts'
export type { Edge, EdgeKind, Graph, GraphNode } from './graph/model.ts'
export { graphOf } from './graph/model.ts'
export type { Relation } from './graph/relate.ts'
export { relate } from './graph/relate.ts'
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
  ToolResultRef,
  ToolUseRef,
  Usage,
} from './record/model.ts'
export { splitLines } from './record/split.ts'
export type { ReadTranscript, Visit } from './record/transcript.ts'
export { readTranscript } from './record/transcript.ts'
export { safe, toJson } from './render/terminal.ts'
export type { Line } from './source/model.ts'
