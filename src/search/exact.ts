// `--exact` and `--regex`: the bytes are scanned, and what was found is told as any other hit is. The index is not needed
// for it; where it is current it says to which Turn a record belongs.

import { dirname } from 'node:path'
import type { Problem } from '../base/problem.ts'
import type { FoundTranscripts } from '../load/found.ts'
import type { ReadFile } from '../load/read.ts'
import type { Envelope } from '../record/model.ts'
import type { TranscriptFile } from '../source/model.ts'
import type { Describe } from './describe.ts'
import { fieldOf, kindOf } from './exact-field.ts'
import type { SearchField, SearchHit, SearchResult } from './model.ts'
import { referenceOf } from './reference.ts'
import { scanFiles } from './scan.ts'
import type { ScanHit, ScanPattern, ScanTarget } from './scan-model.ts'
import { spillsOf } from './spills.ts'

export interface ExactOptions {
  readonly pattern: ScanPattern
  readonly fields: ReadonlySet<SearchField>
  readonly sinceMs: number | null
  readonly untilMs: number | null
  readonly limit: number
  readonly perConversation: number
  /** Which transcripts; all when null. */
  readonly isWanted: ((file: TranscriptFile) => boolean) | null
  readonly onProgress?: (doneBytes: number, totalBytes: number) => void
}

export interface ExactResult extends SearchResult {
  readonly problems: readonly Problem[]
}

/** More than anybody looks at; what is beyond is not even counted. */
const HITS_MAX = 20_000

export async function searchExact(
  archive: FoundTranscripts,
  options: ExactOptions,
  read: ReadFile,
  describe: Describe,
): Promise<ExactResult> {
  const files = archive.projects
    .flatMap((project) => project.files)
    .filter((file) => options.isWanted?.(file) ?? true)
    .sort((one, other) => other.modifiedMs - one.modifiedMs)
  const owners = new Map<string, TranscriptFile>()
  const targets: ScanTarget[] = []
  for (const file of files) {
    for (const target of [{ path: file.path, sizeBytes: file.sizeBytes, isSpill: false }, ...spillsOf(file)]) {
      owners.set(target.path, file)
      targets.push(target)
    }
  }
  const { pattern, onProgress } = options
  const scanned = await scanFiles(targets, pattern, { limit: HITS_MAX, ...(onProgress ? { onProgress } : {}) })
  const asked = placeAll(scanned.hits, owners, read).filter((hit) => isAsked(hit, options))
  const placed = withoutEchoes(asked)
  const hits = pick(withoutCopies(placed), options, describe)
  return { hits, total: placed.length, isBounded: scanned.isCut, problems: scanned.problems }
}

interface PlacedHit {
  readonly scan: ScanHit
  readonly file: TranscriptFile
  readonly record: number
  readonly envelope: Envelope | null
  readonly field: SearchField
  readonly ms: number
}

/** Each file that has hits is opened once, for its Envelopes. */
function placeAll(
  hits: readonly ScanHit[],
  owners: ReadonlyMap<string, TranscriptFile>,
  read: ReadFile,
): readonly PlacedHit[] {
  const byFile = new Map<TranscriptFile, ScanHit[]>()
  for (const hit of hits) {
    const file = owners.get(hit.path) as TranscriptFile
    const known = byFile.get(file)
    if (known === undefined) byFile.set(file, [hit])
    else known.push(hit)
  }
  const placed: PlacedHit[] = []
  for (const [file, own] of byFile) {
    const { envelopes } = read(file).transcript
    const records = new Map(envelopes.map((envelope, record) => [envelope.offset, record]))
    const byLine = new Map(envelopes.map((envelope, record) => [envelope.line, record]))
    for (const scan of own) {
      const record = scan.isSpill
        ? spilledBy(envelopes, scan.path)
        : (records.get(scan.offset) ?? byLine.get(scan.line) ?? -1)
      const envelope = envelopes[record] ?? null
      const ms = scan.timestampMs ?? timeBefore(envelopes, record) ?? file.modifiedMs
      placed.push({ scan, file, record, envelope, field: fieldOf(envelope, scan.field), ms })
    }
  }
  return placed
}

/** Titles and the like carry no time; they were written after the record before them. */
function timeBefore(envelopes: readonly Envelope[], record: number): number | null {
  for (let at = record; at >= 0; at--) {
    const ms = envelopes[at]?.timestampMs ?? null
    if (ms !== null) return ms
  }
  return null
}

function spilledBy(envelopes: readonly Envelope[], path: string): number {
  return envelopes.findIndex(
    ({ links }) => links?.spillPath === path || links?.spillPath?.endsWith(path.slice(dirname(path).length)) === true,
  )
}

function isAsked({ field, ms }: PlacedHit, { fields, sinceMs, untilMs }: ExactOptions): boolean {
  if (fields.size > 0 && !fields.has(field)) return false
  return (sinceMs === null || ms >= sinceMs) && (untilMs === null || ms <= untilMs)
}

const ECHOES: ReadonlySet<string> = new Set(['last-prompt', 'queue-operation', 'progress'])

/** The client writes a prompt down several times; what is in the conversation itself says it better. */
function withoutEchoes(hits: readonly PlacedHit[]): readonly PlacedHit[] {
  const isEcho = ({ envelope }: PlacedHit): boolean => ECHOES.has(envelope?.type ?? '')
  const told = new Set(hits.filter((hit) => !isEcho(hit)).map(({ file }) => file.path))
  return hits.filter((hit) => !isEcho(hit) || !told.has(hit.file.path))
}

/** A fork repeats the records it was made from: of copies, the one in the oldest file. */
function withoutCopies(hits: readonly PlacedHit[]): readonly PlacedHit[] {
  const kept = new Map<string, PlacedHit>()
  for (const hit of hits) {
    const { uuid } = hit.envelope ?? hit.scan
    const key = uuid === null || hit.scan.isSpill ? `${hit.scan.path} ${hit.scan.offset}` : uuid
    const known = kept.get(key)
    if (known === undefined || hit.file.modifiedMs < known.file.modifiedMs) kept.set(key, hit)
  }
  return [...kept.values()]
}

/** The newest first, one a Turn, a few of each conversation. Turns are looked up only for conversations that are shown. */
function pick(hits: readonly PlacedHit[], options: ExactOptions, describe: Describe): readonly SearchHit[] {
  const newest = [...hits].sort((one, other) => other.ms - one.ms)
  const turns = new Map<string, FoundTurn>()
  const perFile = new Map<string, FoundTurn[]>()
  let shown = 0
  for (const hit of newest) {
    const { path } = hit.file
    const own = perFile.get(path) ?? []
    if (shown >= options.limit && own.length === 0) continue
    const { branch, turn } = describe.place(hit.file, hit.record)
    // A title is written down again and again: outside of Turns one hit of each type is enough.
    const place = hit.envelope === null ? hit.scan.offset : hit.envelope.type
    const key = branch < 0 ? `${hit.scan.path} ${place}` : `${path} ${branch}.${turn}`
    const known = turns.get(key)
    const uuid = hit.envelope?.uuid ?? null
    if (known !== undefined) {
      known.records.push(uuid)
      continue
    }
    const isShown = own.length < options.perConversation && shown < options.limit
    if (isShown) shown++
    const found: FoundTurn = { first: hit, records: [uuid], isShown }
    turns.set(key, found)
    perFile.set(path, [...own, found])
  }
  return [...turns.values()]
    .filter((turn) => turn.isShown)
    .map((turn) => {
      const own = perFile.get(turn.first.file.path) ?? []
      const isLast = own.findLast((one) => one.isShown) === turn
      const more = isLast ? own.filter((one) => !one.isShown).length : 0
      return hitOf(turn.first, turn.records, more, describe)
    })
}

interface FoundTurn {
  readonly first: PlacedHit
  readonly records: (string | null)[]
  readonly isShown: boolean
}

function hitOf(hit: PlacedHit, records: readonly (string | null)[], more: number, describe: Describe): SearchHit {
  const { scan, file, envelope } = hit
  const row = describe.row(file)
  const { branch, turn } = describe.place(file, hit.record)
  const sessionId = file.sessionId ?? envelope?.sessionId ?? ''
  const { agentId } = file
  const uuid = envelope?.uuid ?? scan.uuid
  const { text, start, end } = scan.excerpt
  return {
    ref: referenceOf(sessionId, agentId, uuid, envelope?.offset ?? scan.offset),
    sessionId,
    agentId,
    uuid,
    kind: kindOf(envelope),
    field: hit.field,
    title: row?.title ?? '',
    project: row?.project ?? file.projectKey,
    gitBranch: row?.gitBranch ?? null,
    model: row?.model ?? null,
    branch: agentId !== null || branch < 0 ? null : branch,
    turn: agentId === null && branch === 0 ? turn : null,
    timestampMs: envelope?.timestampMs ?? scan.timestampMs,
    snippet: { text, marks: [[start, end]] },
    path: scan.path,
    offset: scan.offset,
    length: scan.length,
    isGone: false,
    records,
    more,
    score: hit.ms,
  }
}
