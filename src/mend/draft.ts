// A repair in the making: the rows of the transcript as they would stand, and what has been changed in each. Stages look
// at the Thread of that state, so each sees what the ones before it did, and the plan is what the result will be.

import type { Thread } from '../graph/thread.ts'
import { buildThread } from '../graph/thread.ts'
import type { Body, Envelope } from '../record/model.ts'
import type { BodyFacts } from './body-facts.ts'
import type { Fix, Quarantined, RepairStep, StepCode, StepRecord } from './model.ts'
import type { Path } from './rewrite.ts'
import type { Survey } from './survey.ts'

/** What is to be done to the text of a row. */
export interface RowChange {
  /** Values as JSON; null takes the field away. */
  readonly fields: Map<string, { readonly path: Path; readonly value: string | null }>
  hasLoneSurrogates: boolean
  hasInvalidUtf8: boolean
}

export interface Draft {
  readonly survey: Survey
  readonly newId: () => string
  readonly isSubagent: boolean
  /** As they would stand. A row keeps its number; what was made here comes behind those of the source. */
  readonly envelopes: Envelope[]
  readonly facts: Map<number, BodyFacts>
  readonly changes: Map<number, RowChange>
  /** Rows whose content was changed, as they stand without the changes above. */
  readonly rewritten: Map<number, Uint8Array>
  readonly dropped: Set<number>
  /** Made here, by row. */
  readonly made: Map<number, Body>
  /** Rows that stand where the source has no record, by the place they were given. */
  readonly placed: Map<number, number>
  readonly steps: RepairStep[]
  readonly quarantine: Quarantined[]
  /** True when the lines are to be put right too. */
  mendsLines: boolean
  thread: Thread | null
}

export function openDraft(survey: Survey, newId: () => string, isSubagent: boolean): Draft {
  return {
    survey,
    newId,
    isSubagent,
    envelopes: [...survey.envelopes],
    facts: new Map(survey.facts),
    changes: new Map(),
    rewritten: new Map(),
    dropped: new Set(),
    made: new Map(),
    placed: new Map(),
    steps: [],
    quarantine: [],
    mendsLines: false,
    thread: null,
  }
}

/** Of the state as it is now; kept until something changes. */
export function threadOf(draft: Draft): Thread {
  if (draft.thread !== null) return draft.thread
  const { envelopes, dropped } = draft
  const kept = dropped.size === 0 ? envelopes : envelopes.filter((_, row) => !dropped.has(row))
  draft.thread = buildThread([{ transcript: 0, envelopes: kept }])
  return draft.thread
}

/** The row of an Envelope of the state, by its place. */
export function rowOf({ survey, placed }: Draft, { offset }: Pick<Envelope, 'offset'>): number {
  let low = 0
  let high = survey.envelopes.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((survey.envelopes[middle] as Envelope).offset < offset) low = middle + 1
    else high = middle
  }
  return placed.get(offset) ?? low
}

/** A place of its own right behind a row, or right before it. */
export function placeBeside(draft: Draft, { offset }: Pick<Envelope, 'offset'>, side: 'before' | 'behind'): number {
  const step = (draft.placed.size + 1) * PLACE_STEP
  return side === 'behind' ? offset + 0.25 + step : offset - 0.5 + step
}

/** Some five hundred thousand places fit between two records; a file of two gigabytes still has them. */
const PLACE_STEP = 2 ** -21

export function setEnvelope(draft: Draft, row: number, facts: Partial<Envelope>): void {
  draft.envelopes[row] = { ...(draft.envelopes[row] as Envelope), ...facts }
  draft.thread = null
}

export function envelopeAt({ envelopes }: Draft, row: number): Envelope {
  return envelopes[row] as Envelope
}

export function setField(draft: Draft, row: number, path: Path, value: unknown): void {
  const json = value === undefined ? null : JSON.stringify(value)
  const { fields } = changeOf(draft, row)
  const key = path.join('\0')
  // Written in turn: a value that is set whole comes behind what was changed in it before.
  fields.delete(key)
  fields.set(key, { path, value: json })
}

export function changeOf(draft: Draft, row: number): RowChange {
  const known = draft.changes.get(row)
  if (known !== undefined) return known
  const change: RowChange = { fields: new Map(), hasLoneSurrogates: false, hasInvalidUtf8: false }
  draft.changes.set(row, change)
  return change
}

export function setParent(draft: Draft, row: number, parentUuid: string | null): void {
  setField(draft, row, ['parentUuid'], parentUuid)
  setEnvelope(draft, row, { parentUuid })
}

export function dropRow(draft: Draft, row: number, code: StepCode): void {
  const { line, offset, length } = draft.survey.envelopes[row] as Envelope
  draft.dropped.add(row)
  draft.quarantine.push({ line, offset, length, code })
  draft.thread = null
}

export function moveRow(draft: Draft, row: number, offset: number): void {
  draft.placed.set(offset, row)
  setEnvelope(draft, row, { offset })
}

/** A record that was made here, placed by `offset`: between two rows when it is not a whole number. */
export function addMade(draft: Draft, body: Body, envelope: Envelope): number {
  const row = draft.envelopes.push(envelope) - 1
  draft.made.set(row, body)
  draft.placed.set(envelope.offset, row)
  draft.thread = null
  return row
}

export function addStep(
  draft: Draft,
  [fix, code, what, why]: readonly [Fix, StepCode, string, string],
  before: readonly StepRecord[],
  after: readonly StepRecord[],
): void {
  draft.steps.push({ fix, code, what, why, before, after })
}

export function shown(draft: Draft, row: number, shows: string): StepRecord {
  const { uuid, line } = draft.envelopes[row] as Envelope
  return { line: draft.made.has(row) ? null : line, uuid, shows }
}
