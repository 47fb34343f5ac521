// The live Branch of a session that is being written. What is appended becomes Rows at once, without weaving anything
// again; whatever is no plain growth is handed to whoever can weave. The file is asked for its size ten times a second:
// notices of the system come late or not at all on some file systems.

import { closeSync, statSync } from 'node:fs'
import type { LayoutEnd, NamedRecord } from '../conversation/growing-layout.ts'
import { GrowingLayout } from '../conversation/growing-layout.ts'
import type { Row, RowTurn } from '../conversation/layout.ts'
import type { Envelope } from '../record/model.ts'
import { addLine, openReader } from '../record/transcript.ts'
import { readLines } from '../source/lines.ts'
import { isProblem, openTranscript } from '../source/open.ts'
import type { OpenReading } from './open-reading.ts'
import type { RecordBytes } from './record-bytes.ts'
import { envelopeAt } from './row-views.ts'

/** What those who follow a conversation are told. */
export type Growing =
  | {
      readonly kind: 'grew'
      readonly version: string
      readonly rows: number
      readonly turns: number
      readonly changedFrom: number
    }
  /** It cannot be followed at the moment, for this reason; null when it can again. */
  | { readonly kind: 'stalled'; readonly error: string | null }

/** A Reading, and where in its file what is not in it begins. */
export interface ReadTo {
  readonly reading: OpenReading
  readonly offset: number
  readonly line: number
}

export interface GrowingSource {
  readonly path: string
  readonly bytes: RecordBytes
  readonly start: () => ReadTo | null
  /** What the index has of it by now. */
  readonly stored: () => ReadTo | null
  /** Made from the file as it is now. */
  readonly again: () => ReadTo | null
  /** Once for each reason, not ten times a second. */
  readonly onError: (error: unknown) => void
}

const POLL_MS = 100
const COMPARE_MS = 2000
/** After something went wrong it may be dear to find out that it still does. */
const RETRY_MS = 1000
/** So much is read before others get a turn. */
const STEP_BYTES = 1 << 23
/** Replies further back than this are over. */
const NAMED_MAX = 16

export class GrowingReading {
  readonly #source: GrowingSource
  readonly #listeners = new Set<(news: Growing) => void>()
  readonly #timer: NodeJS.Timeout
  #at: ReadTo | null
  #layout: GrowingLayout | null = null
  #identity = 0
  #made = 0
  #comparedMs = 0
  /** What went wrong may have left half of something behind. */
  #isDoubtful = false
  #failure: { readonly error: string; readonly atMs: number } | null = null

  constructor(source: GrowingSource) {
    this.#source = source
    this.#at = null
    this.#attempt(() => {
      this.#at = source.start()
      this.#identity = inodeOf(source.path)
    })
    this.#timer = setInterval(() => this.#attempt(() => this.#poll()), POLL_MS)
    this.#timer.unref()
  }

  get reading(): OpenReading | null {
    const base = this.#at?.reading ?? null
    const layout = this.#layout
    if (base === null || layout === null) return base
    const turns = allTurns(base, layout)
    return {
      ...base,
      version: this.#version(base),
      rows: layout.rowCount,
      turns: turns.length,
      rowsAt: (from, count) => grownRows(base, layout, from, count),
      allTurns: () => turns,
    }
  }

  /** Answers with a function that leaves, which says how many are left. */
  listen(onNews: (news: Growing) => void): () => number {
    this.#listeners.add(onNews)
    if (this.#failure !== null) onNews({ kind: 'stalled', error: this.#failure.error })
    return () => {
      this.#listeners.delete(onNews)
      return this.#listeners.size
    }
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #version({ version }: OpenReading): string {
    return this.#made === 0 ? version : `${version} ${this.#made}`
  }

  /** Nobody waits for what a timer does: an error would end the process. It is told, and a little later tried again. */
  #attempt(act: () => void): void {
    if (this.#failure !== null && performance.now() - this.#failure.atMs < RETRY_MS) return
    try {
      act()
      if (this.#failure === null) return
      this.#failure = null
      this.#tell({ kind: 'stalled', error: null })
    } catch (error) {
      const known = this.#failure?.error
      const reason = error instanceof Error ? error.message : String(error)
      this.#isDoubtful = true
      this.#failure = { error: reason, atMs: performance.now() }
      if (reason === known) return
      this.#tell({ kind: 'stalled', error: reason })
      this.#source.onError(error)
    }
  }

  #poll(): void {
    const at = this.#at
    const stat = statSync(this.#source.path, { throwIfNoEntry: false })
    if (stat === undefined) return
    if (at === null || this.#isDoubtful || stat.ino !== this.#identity || stat.size < at.offset) {
      this.#again()
      this.#identity = stat.ino
      this.#isDoubtful = false
    } else if (stat.size > at.offset) this.#read(at)
    else if (this.#layout !== null) this.#compare(at.offset)
  }

  /** A record that repeats one of long ago is taken for a new one here. The index knows better, as soon as it is there. */
  #compare(offset: number): void {
    const now = performance.now()
    if (now - this.#comparedMs < COMPARE_MS) return
    this.#comparedMs = now
    const stored = this.#source.stored()
    const { reading } = this
    if (stored === null || reading === null || stored.offset !== offset) return
    if (stored.reading.rows !== reading.rows || stored.reading.turns !== reading.turns) this.#again()
  }

  #read(at: ReadTo): void {
    const opened = openTranscript(this.#source.path)
    if (isProblem(opened)) return
    const found: Envelope[] = []
    let { offset, line } = at
    try {
      const reader = openReader(this.#source.path)
      for (const one of readLines(opened.fd, { offset, number: line })) {
        if (!one.ended) break
        addLine(reader, one)
        offset = one.offset + one.length
        line = one.number + 1
        if (offset - at.offset > STEP_BYTES) break
      }
      found.push(...reader.envelopes)
    } finally {
      closeSync(opened.fd)
    }
    if (offset === at.offset) return
    this.#layout ??= growingLayout(at.reading, this.#source.bytes)
    const layout = this.#layout
    if (layout !== null && found.every((envelope) => layout.add(envelope))) {
      this.#at = { reading: at.reading, offset, line }
      const changedFrom = layout.takeChanged()
      if (changedFrom < layout.rowCount) this.#tellGrown(changedFrom)
    } else this.#again()
  }

  /** Rows before the one that changed first keep their places; which one that is nobody knows here. */
  #again(): void {
    this.#at = this.#source.again()
    this.#layout = null
    this.#made++
    this.#tellGrown(0)
  }

  #tellGrown(changedFrom: number): void {
    const { reading } = this
    if (reading === null) return
    const { version, rows, turns } = reading
    this.#tell({ kind: 'grew', version, rows, turns, changedFrom })
  }

  #tell(news: Growing): void {
    for (const listener of this.#listeners) listener(news)
  }
}

function allTurns(base: OpenReading, layout: GrowingLayout): readonly RowTurn[] {
  return [...base.allTurns().slice(0, -1), ...layout.turns]
}

function grownRows(base: OpenReading, layout: GrowingLayout, from: number, count: number): readonly Row[] {
  const first = layout.rowCount - layout.rows.length
  const before = from < first ? base.rowsAt(from, Math.min(count, first - from)) : []
  return [...before, ...layout.rows.slice(Math.max(0, from - first), Math.max(0, from + count - first))]
}

/** Null for a conversation without a Turn: it is small, and can be made again. */
function growingLayout(reading: OpenReading, bytes: RecordBytes): GrowingLayout | null {
  const turn = reading.allTurns().at(-1)
  if (turn === undefined || reading.isSubagent) return null
  const rows = reading.rowsAt(turn.row, turn.rows)
  const hasBoundary = reading.boundaries.some(({ row }) => row >= turn.row)
  const { growth } = reading
  const end: LayoutEnd = { turn, rows, named: namesOf(reading, rows, bytes), hasBoundary, growth }
  return new GrowingLayout(end)
}

/** The last replies, and those that wait for a result. */
function namesOf(reading: OpenReading, rows: readonly Row[], bytes: RecordBytes): ReadonlyMap<Row, NamedRecord> {
  const named = new Map<Row, NamedRecord>()
  const replies = rows.filter(({ kind }) => kind === 'reply')
  const recent = new Set(replies.slice(-NAMED_MAX))
  for (const row of replies) {
    if (!recent.has(row) && !row.calls.some(({ result }) => result === null)) continue
    const body = bytes.body(reading.paths[row.record.transcript] ?? '', row.record)
    const envelope = envelopeAt(body, row.record, false)
    if (envelope !== null) named.set(row, envelope)
  }
  return named
}

function inodeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? 0
}
