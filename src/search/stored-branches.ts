// The Branches of a conversation as a tree tells them. The live one is counted in its Layout; of the others the index knows
// in which Turn each record stands, and the few Envelopes of theirs are unpacked. Null where that does not tell all.

import type { BranchShape, TurnShape } from '../conversation/branch-shape.ts'
import { shapeOf } from '../conversation/branch-shape.ts'
import type { Row, RowTurn, Spot } from '../conversation/layout.ts'
import { uuidKey } from '../conversation/layout.ts'
import type { Segment } from '../conversation/model.ts'
import type { BranchFacts, RowBoundary } from '../conversation/reading-layout.ts'
import type { Bodies } from '../load/bodies.ts'
import { openBodies } from '../load/bodies.ts'
import { envelopeOf, newReadState } from '../record/envelope.ts'
import type { Envelope } from '../record/model.ts'
import { NO_TOKENS } from '../record/tokens-around.ts'
import type { Database } from './database.ts'
import { PAGE_RECORDS, unpackEnvelopes } from './envelope-page.ts'
import { PAGE_ROWS } from './layout-page.ts'
import type { StoredHead } from './layouts.ts'
import { StoredLayouts } from './layouts.ts'
import { unpackPlaces } from './packed-places.ts'
import type { KnownFile } from './plan.ts'

/** What the row of a conversation says of them. */
export interface BranchRow {
  /** Of the live Branch. */
  readonly segments: number
  /** In which Branch and Turn each record of its file stands. */
  readonly places: Uint8Array
}

export function storedBranches(
  database: Database,
  { id, path }: KnownFile,
  row: BranchRow,
  hasIds: boolean,
): readonly BranchShape[] | null {
  const layouts = new StoredLayouts(database)
  const head = layouts.head(path)
  if (head === null) return null
  const [facts, ...others] = head.branches
  if (facts === undefined) return []
  const live = liveBranch(layouts, head, facts, row.segments, hasIds)
  const further = others.length === 0 ? [] : otherBranches(database, id, head, others, row.places)
  return live === null || further === null ? null : [live, ...further]
}

function liveBranch(
  layouts: StoredLayouts,
  head: StoredHead,
  facts: BranchFacts,
  segmentCount: number,
  hasIds: boolean,
): BranchShape | null {
  const stored = layouts.turns(head.file)
  const boundaries = countedBoundaries(stored, head.boundaries, segmentCount)
  if (boundaries === null) return null
  const wanted = [...stored.map(({ promptRow }) => promptRow), ...boundaries.map(({ row }) => row)]
  const uuids = hasIds ? uuidsOf(layouts, head, new Set(wanted)) : new Map<number, string | null>()
  if (uuids === null) return null
  const turns = stored.map(({ segment, promptRow, startedMs }) => ({
    segment,
    promptUuid: uuids.get(promptRow) ?? null,
    startedMs,
  }))
  const segments = boundaries.map(({ row, ...boundary }, index): Segment => {
    return { number: index + 1, boundaryUuid: uuids.get(row) ?? null, ...boundary }
  })
  return shapeOf({ ...facts, isLive: true }, turns, [FIRST, ...segments])
}

const FIRST: Segment = { number: 0, boundaryUuid: null, trigger: null, ...NO_TOKENS }

/**
 * A Boundary beside the path begins no Segment, unless it kept something. Which Segment the next Turn begins in tells
 * whether those of a Turn count; not where some do and some do not.
 */
function countedBoundaries(
  turns: readonly RowTurn[],
  boundaries: readonly RowBoundary[],
  segmentCount: number,
): readonly RowBoundary[] | null {
  const counted: RowBoundary[] = []
  let next = 0
  for (const [index, { row, rows, segment }] of turns.entries()) {
    const from = next
    while (next < boundaries.length && (boundaries[next] as RowBoundary).row < row + rows) next++
    const begun = (turns[index + 1]?.segment ?? segmentCount - 1) - segment
    if (begun !== 0 && begun !== next - from) return null
    if (begun !== 0) for (const one of boundaries.slice(from, next)) counted.push(one)
  }
  return counted.length === segmentCount - 1 ? counted : null
}

/** The ids of the records that some Rows begin with, from the transcripts: a Layout has only the beginnings of ids. */
function uuidsOf(
  layouts: StoredLayouts,
  head: StoredHead,
  wanted: ReadonlySet<number>,
): ReadonlyMap<number, string | null> | null {
  const paths = layouts.paths(head)
  const bodies = openBodies()
  const uuids = new Map<number, string | null>()
  try {
    for (let from = 0; from < head.rows; from += PAGE_ROWS) {
      const rows = layouts.rows(head.file, from, PAGE_ROWS)
      for (let index = 0; index < rows.length; index++) {
        if (!wanted.has(from + index)) continue
        const { record } = rows[index] as Row
        const uuid = uuidAt(bodies, paths[record.transcript] ?? '', record)
        if (uuid === undefined) return null
        uuids.set(from + index, uuid)
      }
    }
    return uuids
  } finally {
    bodies.close()
  }
}

/** Undefined when another record stands there than the index knows. */
function uuidAt(bodies: Bodies, path: string, spot: Spot): string | null | undefined {
  const body = bodies.read(path, spot)
  if (body === null) return undefined
  const written = body['uuid']
  if (typeof written === 'string' && written !== '' && uuidKey(written) === spot.key) return written
  const { uuid } = envelopeOf(body, spot, newReadState(false))
  return uuidKey(uuid) === spot.key ? uuid : undefined
}

function otherBranches(
  database: Database,
  file: number,
  { files }: StoredHead,
  others: readonly BranchFacts[],
  places: Uint8Array,
): readonly BranchShape[] | null {
  // What stands in other files has no place.
  const turns = files.length > 1 ? null : turnsBeside(database, file, places)
  if (turns === null) return null
  const shapes = others.flatMap((facts) => {
    const own = turns.get(facts.number)
    return own === undefined ? [] : shapeOf({ ...facts, isLive: false }, own, [FIRST])
  })
  return shapes.length === others.length ? shapes : null
}

/** By Branch, the Turns of all but the live one. */
function turnsBeside(database: Database, file: number, packed: Uint8Array): Map<number, readonly TurnShape[]> | null {
  const { branches, turns } = unpackPlaces(packed)
  const envelopeAt = envelopeFinder(database, file)
  const found = new Map<number, (TurnMade | undefined)[]>()
  const seen = new Set<string | null>()
  for (let record = 0; record < branches.length; record++) {
    const branch = branches[record] as number
    if (branch < 1) continue
    const envelope = envelopeAt(record)
    // Compactions are counted on the live Branch alone.
    if (envelope === undefined || envelope.kind === 'boundary') return null
    // A later copy stands where the first one does, and says nothing.
    if (seen.has(envelope.uuid)) continue
    seen.add(envelope.uuid)
    const own = found.get(branch) ?? []
    found.set(branch, own)
    const turn = (turns[record] as number) - 1
    const made = own[turn] ?? { segment: 0, promptUuid: null, startedMs: null, earliestMs: null }
    own[turn] = made
    if (!addTo(made, envelope)) return null
  }
  return new Map([...found].map(([branch, own]) => [branch, Array.from(own, timed)]))
}

interface TurnMade extends TurnShape {
  promptUuid: string | null
  /** Of its Prompt. */
  startedMs: number | null
  earliestMs: number | null
}

/** False for a second Prompt: which is the first one only their order tells, and that is not the order of the file. */
function addTo(turn: TurnMade, { kind, uuid, timestampMs }: Envelope): boolean {
  if (timestampMs !== null && (turn.earliestMs === null || timestampMs < turn.earliestMs)) turn.earliestMs = timestampMs
  if (kind !== 'prompt') return true
  if (turn.promptUuid !== null) return false
  turn.promptUuid = uuid
  turn.startedMs = timestampMs
  return true
}

function timed(turn: TurnMade | undefined): TurnShape {
  if (turn === undefined) throw new RangeError('a Turn without records')
  return { segment: turn.segment, promptUuid: turn.promptUuid, startedMs: turn.startedMs ?? turn.earliestMs }
}

/** Records by their number, a page at a time. */
function envelopeFinder(database: Database, file: number): (record: number) => Envelope | undefined {
  const read = database.prepare('SELECT envelopes FROM page WHERE file = ? AND number = ?')
  let number = -1
  let page: readonly Envelope[] = []
  return (record) => {
    const wanted = Math.floor(record / PAGE_RECORDS)
    if (wanted !== number) {
      const found = read.get(file, wanted) as { readonly envelopes: Uint8Array } | undefined
      page = found === undefined ? [] : unpackEnvelopes(found.envelopes)
      number = wanted
    }
    return page[record % PAGE_RECORDS]
  }
}
