// Bytes of a transcript → what is wrong with it, what would be done about it, and the bytes it would have then. Nothing
// is written here. Stages run again until none of them finds anything, so that a repaired transcript needs no repair.

import { randomUUID } from 'node:crypto'
import type { Draft } from './draft.ts'
import { openDraft } from './draft.ts'
import { healthOf, sessionOf } from './health.ts'
import { mendBoundaries } from './mend-boundaries.ts'
import { mendCopies } from './mend-copies.ts'
import { mendImages } from './mend-images.ts'
import { mendLines } from './mend-lines.ts'
import { mendPairs } from './mend-pairs.ts'
import { mendParents } from './mend-parents.ts'
import { mendRetries } from './mend-retries.ts'
import { mendSurrogates } from './mend-surrogates.ts'
import { mendThinking } from './mend-thinking.ts'
import { mendTip } from './mend-tip.ts'
import { mendUnfinished } from './mend-unfinished.ts'
import type { Fix, Health, Prognosis, Refusal, RepairPlan, StepCode } from './model.ts'
import { FIXES } from './model.ts'
import { surveyOf } from './survey.ts'
import type { TranscriptBytes } from './transcript-bytes.ts'
import type { RepairTarget } from './write-out.ts'
import { repairedBytes } from './write-out.ts'

export interface RepairOptions {
  /** All of them by default. */
  readonly fixes?: readonly Fix[]
  readonly nowMs: number
  /** Random by default. */
  readonly newId?: () => string
  /** The conversation may come out shorter than it was. */
  readonly mayShrink?: boolean
  readonly isSubagent?: boolean
}

export interface Repair {
  readonly plan: RepairPlan
  /** The repaired transcript, in stretches of whole lines. Read from the source as it is asked for. */
  readonly bytes: (target: RepairTarget) => Iterable<Uint8Array>
}

const STAGES: Readonly<Record<Fix, readonly ((draft: Draft) => void)[]>> = {
  lines: [],
  chain: [mendCopies, mendParents, mendRetries, mendBoundaries, mendUnfinished],
  tip: [mendTip],
  thinking: [mendThinking],
  pairs: [mendPairs],
  images: [mendImages],
  surrogates: [mendSurrogates],
}

/** More than were ever needed; each but the last has changed something. */
const ROUNDS_MAX = 12

export function planRepair(source: TranscriptBytes, options: RepairOptions): Repair {
  const { nowMs, newId = randomUUID, isSubagent = false } = options
  const fixes = FIXES.filter((fix) => options.fixes?.includes(fix) ?? true)
  const survey = surveyOf(source, isSubagent)
  const draft = openDraft(survey, newId, isSubagent)
  const before = healthOf(draft)
  if (fixes.includes('lines')) mendLines(draft)
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const done = draft.steps.length
    for (const fix of fixes) for (const stage of STAGES[fix]) stage(draft)
    if (draft.steps.length === done) break
  }
  const after = draft.steps.length === 0 ? before : healthOf(draft)
  const plan: RepairPlan = {
    sessionId: sessionOf(draft),
    sourceSha256: survey.sha256,
    sourceBytes: source.sizeBytes,
    plannedMs: nowMs,
    fixes,
    steps: draft.steps,
    refusals: [...unreadable(survey.unreadable), ...shrinking(before, after, options.mayShrink === true)],
    before,
    after,
    quarantine: draft.quarantine,
    madeUuids: [...draft.made.keys()].flatMap((row) => draft.envelopes[row]?.uuid ?? []),
  }
  return { plan, bytes: (target) => repairedBytes(draft, target) }
}

/** What the client will do with the transcript as it is, and what would put it right. */
export function prognosisOf({ before, after, steps }: RepairPlan): Prognosis {
  const counts: Partial<Record<StepCode, number>> = {}
  for (const { code } of steps) counts[code] = (counts[code] ?? 0) + 1
  const fixes = FIXES.filter((one) => steps.some(({ fix }) => fix === one))
  return { outcome: outcomeOf(before, after), health: before, fixes, steps: counts, repaired: after }
}

function outcomeOf(before: Health, after: Health): Prognosis['outcome'] {
  if (before.tip === null || before.sent === 0) return 'nothing'
  if (before.troubles.length > 0) return 'refused'
  const isShort = after.reachable > before.reachable || after.listed > before.listed || before.hiddenBy !== null
  return isShort || before.islands.length > 0 ? 'cut-short' : 'whole'
}

const UNREADABLE = {
  'line-too-long': 'a line is longer than can be read',
  'utf-16': 'the file is UTF-16, which no client writes',
  'nothing-to-read': 'there is no record in it',
  'would-shrink': '',
} as const satisfies Record<Refusal['code'], string>

function unreadable(codes: readonly Refusal['code'][]): readonly Refusal[] {
  return codes.map((code) => ({ code, message: UNREADABLE[code] }))
}

function shrinking(before: Health, after: Health, mayShrink: boolean): readonly Refusal[] {
  if (mayShrink || after.reachableMessages >= before.reachableMessages) return []
  const message = `the client would come to ${after.reachableMessages} messages instead of ${before.reachableMessages}`
  return [{ code: 'would-shrink', message }]
}
