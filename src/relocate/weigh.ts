// Where the bytes of a Claude directory go, by kind. Every byte counts once, and the sum is the size of all files: a line
// that is a copy is not looked into any further, and what is left of a record is the conversation.

import { closeSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { scanJson } from '../base/scan-json.ts'
import type { Disk } from '../disk/disk.ts'
import { filesThrough } from '../disk/folder-files.ts'
import { eachLineWith } from '../load/lines-with.ts'
import type { ReadFile } from '../load/read.ts'
import type { Line, TranscriptFile } from '../source/model.ts'
import { isProblem, openTranscript } from '../source/open.ts'

export const WEIGHT_KINDS = [
  'conversation',
  'copies',
  'replays',
  'progress',
  'requests',
  'results',
  'originals',
  'images',
  'subagents',
  'spills',
  'fileHistory',
  'other',
] as const

export type WeightKind = (typeof WEIGHT_KINDS)[number]

export type Weights = Readonly<Record<WeightKind, number>>

export interface ProjectWeight {
  readonly root: string
  /** Null for what belongs to no project. */
  readonly projectKey: string | null
  readonly weights: Weights
  readonly totalBytes: number
}

/** Everything below `projects` and `file-history` of each root, the largest project first. */
export function weigh(
  disk: Disk,
  roots: readonly string[],
  files: readonly TranscriptFile[],
  read: ReadFile,
  onProgress: (doneBytes: number, totalBytes: number) => void = () => undefined,
): readonly ProjectWeight[] {
  const scale: Scale = { seen: new Map(), inFile: 0, doneBytes: 0, totalBytes: 0, onProgress }
  // Of two that hold the same, the one that was written to first is taken for the original.
  const oldestFirst = [...files].sort(
    (one, other) => one.modifiedMs - other.modifiedMs || (one.path < other.path ? -1 : 1),
  )
  const mains = new Map(oldestFirst.filter(({ role }) => role === 'main').map((file) => [file.path, file]))
  scale.totalBytes = [...mains.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const weighed = new Map([...mains.values()].map((file) => [file.path, weighTranscript(file, read, scale)]))
  return roots.flatMap((root) => weighRoot(disk, root, weighed)).sort((one, other) => other.totalBytes - one.totalBytes)
}

interface Scale {
  /** Which file had a uuid first. */
  readonly seen: Map<string, number>
  inFile: number
  doneBytes: number
  totalBytes: number
  readonly onProgress: (doneBytes: number, totalBytes: number) => void
}

type Sums = Record<WeightKind, number>

function newSums(): Sums {
  return Object.fromEntries(WEIGHT_KINDS.map((kind) => [kind, 0])) as Sums
}

function weighRoot(disk: Disk, root: string, weighed: ReadonlyMap<string, Sums>): readonly ProjectWeight[] {
  const byKey = new Map<string | null, Sums>()
  const sumsOf = (key: string | null): Sums => {
    const known = byKey.get(key) ?? newSums()
    byKey.set(key, known)
    return known
  }
  const owners = new Map<string, string>()
  const projects = join(root, 'projects')
  for (const { path, sizeBytes } of filesThrough(disk, projects).files) {
    const [key = '', ...parts] = relative(projects, path).split(sep)
    const sums = sumsOf(parts.length === 0 ? null : key)
    const own = weighed.get(path)
    if (own === undefined) sums[kindOfFile(parts)] += sizeBytes
    else {
      owners.set(basename(path, '.jsonl'), key)
      for (const kind of WEIGHT_KINDS) sums[kind] += own[kind]
      // It has grown since it was found.
      sums.conversation += sizeBytes - totalOf(own)
    }
  }
  const history = join(root, 'file-history')
  for (const { path, sizeBytes } of filesThrough(disk, history).files) {
    const [sessionId = ''] = relative(history, path).split(sep)
    sumsOf(owners.get(sessionId) ?? null).fileHistory += sizeBytes
  }
  return [...byKey].map(([projectKey, weights]) => ({ root, projectKey, weights, totalBytes: totalOf(weights) }))
}

function kindOfFile(parts: readonly string[]): WeightKind {
  if (parts.includes('tool-results')) return 'spills'
  const isAgent = (parts.at(-1) ?? '').startsWith('agent-') && parts.length === 1
  return parts.includes('subagents') || isAgent ? 'subagents' : 'other'
}

function weighTranscript(file: TranscriptFile, read: ReadFile, scale: Scale): Sums {
  const sums = newSums()
  /** Lines of which nothing more is to be known, by their offset. */
  const settled = new Set<number>()
  let counted = 0
  const index = scale.inFile++
  for (const { uuid, type, length, offset } of read(file).transcript.envelopes) {
    const kind = wholeKind(uuid, type, scale, index)
    if (kind === null) continue
    settled.add(offset)
    sums[kind] += length
    counted += length
  }
  const opened = openTranscript(file.path)
  if (!isProblem(opened)) {
    try {
      counted += weighParts(opened.fd, settled, sums)
    } finally {
      closeSync(opened.fd)
    }
  }
  sums.conversation += file.sizeBytes - counted
  scale.doneBytes += file.sizeBytes
  scale.onProgress(scale.doneBytes, scale.totalBytes)
  return sums
}

function wholeKind(uuid: string | null, type: string, { seen }: Scale, index: number): WeightKind | null {
  // Uuids of the event-log dialect are made up from positions and tell nothing across files.
  if (uuid !== null && !uuid.startsWith('event-log:')) {
    const first = seen.get(uuid)
    if (first === undefined) seen.set(uuid, index)
    else return first === index ? 'replays' : 'copies'
  }
  if (type === 'progress') return 'progress'
  return type.startsWith('api-request') ? 'requests' : null
}

const RESULT = Buffer.from('"toolUseResult":')
const ORIGINAL = Buffer.from('"originalFile":"')
const BASE64 = Buffer.from('"base64"')
const IMAGE_BYTES = Buffer.from('"data":"')
const QUOTE = 0x22

/** What stands in records beside what was said: results a second time, files before they were changed, images. */
function weighParts(fd: number, settled: ReadonlySet<number>, sums: Sums): number {
  let counted = 0
  const results = new Map<number, Span>()
  eachLineWith(fd, RESULT, ({ offset, bytes }) => {
    if (bytes === null || settled.has(offset)) return
    const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const start = line.indexOf(RESULT)
    const scan = scanJson(line, start + RESULT.length, line.length)
    if (scan.state !== 'complete') return
    const span = { start, end: scan.end }
    results.set(offset, span)
    const originals = originalBytes(line, span)
    sums.originals += originals
    sums.results += span.end - span.start - originals
    counted += span.end - span.start
  })
  eachLineWith(fd, BASE64, (line) => {
    if (settled.has(line.offset)) return
    const images = imageBytes(line, results.get(line.offset))
    sums.images += images
    counted += images
  })
  return counted
}

interface Span {
  readonly start: number
  readonly end: number
}

function originalBytes(line: Buffer, { start, end }: Span): number {
  const at = line.indexOf(ORIGINAL, start)
  if (at === -1 || at >= end) return 0
  const scan = scanJson(line, at + ORIGINAL.length - 1, end)
  return scan.state === 'complete' ? scan.end - at : 0
}

/** Base64 has no escapes: it ends at the next quote. What is part of a result was counted there. */
function imageBytes({ bytes }: Line, result: Span | undefined): number {
  if (bytes === null) return 0
  const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let sum = 0
  for (let at = line.indexOf(IMAGE_BYTES); at !== -1; ) {
    const start = at + IMAGE_BYTES.length
    const close = line.indexOf(QUOTE, start)
    const end = close === -1 ? line.length : close
    const isInResult = result !== undefined && at >= result.start && at < result.end
    if (!isInResult && end - start > SMALL_BYTES) sum += end - start
    at = line.indexOf(IMAGE_BYTES, end)
  }
  return sum
}

/** Anything may be called data; an image is longer. */
const SMALL_BYTES = 200

export function totalOf(weights: Weights): number {
  return WEIGHT_KINDS.reduce((sum, kind) => sum + weights[kind], 0)
}

export function addWeights(all: readonly ProjectWeight[]): Weights {
  const sums = newSums()
  for (const { weights } of all) for (const kind of WEIGHT_KINDS) sums[kind] += weights[kind]
  return sums
}
