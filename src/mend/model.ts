// What a repair says about itself, as plain readonly JSON: how a transcript stands, what would be done to it and why, and
// what could not be promised. Types only.

import type { Island } from '../conversation/model.ts'

/** What `--fix` names. */
export type Fix = 'lines' | 'chain' | 'tip' | 'thinking' | 'pairs' | 'images' | 'surrogates'

/** In the order in which they are done: each sees what the ones before it left. */
export const FIXES: readonly Fix[] = ['lines', 'chain', 'tip', 'thinking', 'pairs', 'images', 'surrogates']

/** What can be wrong with a line. */
export type LineCode =
  | 'torn-line'
  | 'torn-tail'
  | 'glued-records'
  | 'nul-run'
  | 'stray-bytes'
  | 'not-a-record'
  | 'blank-line'
  | 'byte-order-mark'
  | 'invalid-utf8'
  | 'no-final-newline'

export type StepCode =
  | LineCode
  // chain
  | 'copy'
  | 'copy-differs'
  | 'uuid-collision'
  | 'kept-by-copy'
  | 'missing-parent'
  | 'no-parent'
  | 'parent-cycle'
  | 'boundary-lost'
  | 'retry-beside'
  | 'boundary-dangles'
  | 'boundary-without-recap'
  | 'kept-missing'
  | 'kept-off-chain'
  | 'anchor-missing'
  // tip
  | 'stray-late-record'
  | 'stale-pointer'
  // thinking
  | 'unsigned-thinking'
  | 'refused-thinking'
  // pairs
  | 'call-without-result'
  | 'result-without-call'
  | 'result-misplaced'
  | 'result-twice'
  | 'call-twice'
  // images
  | 'image-too-large'
  | 'image-too-wide'
  | 'too-many-images'
  // surrogates
  | 'lone-surrogate'

/** A record that a step is about. `line` is null for one that was made here. */
export interface StepRecord {
  readonly line: number | null
  readonly uuid: string | null
  /** The part of it that matters, in a few words: `parentUuid: gone`. */
  readonly shows: string
}

export interface RepairStep {
  readonly fix: Fix
  readonly code: StepCode
  readonly what: string
  readonly why: string
  readonly before: readonly StepRecord[]
  readonly after: readonly StepRecord[]
}

/** Bytes of the source that the repaired transcript does not have. The receipt keeps them. */
export interface Quarantined {
  readonly line: number
  readonly offset: number
  readonly length: number
  readonly code: StepCode
}

export type RefusalCode = 'would-shrink' | 'line-too-long' | 'utf-16' | 'nothing-to-read'

/** Why a plan must not be applied. */
export interface Refusal {
  readonly code: RefusalCode
  readonly message: string
}

/** What the API would answer with 400, or what only looks like it. */
export interface ApiTrouble {
  readonly code: StepCode
  readonly fix: Fix
  readonly count: number
  /** The first ones. */
  readonly lines: readonly number[]
}

export interface TipFacts {
  readonly uuid: string
  readonly line: number
}

/** How a transcript stands: what the client will do with it on resume. */
export interface Health {
  /** Records of the main thread that have a uuid, copies folded. */
  readonly records: number
  /** Of them, what the client comes to from its tip, through compactions. */
  readonly reachable: number
  /** What it sends: back to the last compaction. */
  readonly sent: number
  /** What the official SDK walks over. */
  readonly listed: number
  /** Messages with a text among the reachable ones. */
  readonly reachableMessages: number
  readonly branches: number
  /** Parts that a phantom parent or a cycle cuts off from the live tip. */
  readonly islands: readonly Island[]
  /** Where the client goes on; null when it finds nothing. */
  readonly tip: TipFacts | null
  /** Where the SDK ends; the same record in a healthy transcript. */
  readonly fileTip: TipFacts | null
  /** The record that hides what was said after the one it hangs below. */
  readonly hiddenBy: TipFacts | null
  /** Makes the API answer 400, unless the client mends it on the way. */
  readonly troubles: readonly ApiTrouble[]
  /** The same in abandoned branches and before the last compaction: never sent, so left alone. */
  readonly harmless: readonly ApiTrouble[]
  readonly damagedLines: number
}

export interface RepairPlan {
  /** The session of the source; null when no record names one. */
  readonly sessionId: string | null
  readonly sourceSha256: string
  readonly sourceBytes: number
  readonly plannedMs: number
  readonly fixes: readonly Fix[]
  /** Empty: nothing needs to be done. */
  readonly steps: readonly RepairStep[]
  /** Not empty: it must not be done. */
  readonly refusals: readonly Refusal[]
  readonly before: Health
  readonly after: Health
  readonly quarantine: readonly Quarantined[]
  /** The records that were made here, by uuid. */
  readonly madeUuids: readonly string[]
}

export type PrognosisOutcome = 'whole' | 'cut-short' | 'refused' | 'nothing'

/** What will happen on resume, and what would put it right. */
export interface Prognosis {
  readonly outcome: PrognosisOutcome
  readonly health: Health
  /** The fixes with something to do. */
  readonly fixes: readonly Fix[]
  readonly steps: Readonly<Partial<Record<StepCode, number>>>
  /** How it would stand after all of them. */
  readonly repaired: Health
}

export type PromiseCode =
  | 'bytes-unaccounted'
  | 'uuid-twice'
  | 'no-live-tip'
  | 'broken-link'
  | 'pair-incomplete'
  | 'text-missing'
  | 'text-invented'
  | 'state-lost'
  | 'not-settled'

/** A promise of the repair that its result does not keep. */
export interface BrokenPromise {
  readonly code: PromiseCode
  readonly message: string
}
