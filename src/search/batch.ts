// A transcript from its Watermark on → Batches: Envelopes in pages, texts for the word index, tool calls, and the state
// behind them. A Batch can be committed on its own, so an ingest that is interrupted goes on behind the last one.

import { closeSync } from 'node:fs'
import type { Problem } from '../base/problem.ts'
import type { FileTouch } from '../conversation/tool/view.ts'
import { addAll } from '../load/add-all.ts'
import { lastSessionId } from '../load/read.ts'
import type { Drift } from '../record/drift.ts'
import type { Labels } from '../record/labels.ts'
import type { Envelope } from '../record/model.ts'
import type { Reader, ReaderState } from '../record/transcript.ts'
import { addLine, resumeReader, saveReader } from '../record/transcript.ts'
import type { UsageRecord } from '../record/usage-record.ts'
import type { LineStart } from '../source/lines.ts'
import type { Line, TranscriptFile } from '../source/model.ts'
import { isProblem, openTranscript } from '../source/open.ts'
import type { DocRoom } from './doc-room.ts'
import { OWN_ROOM } from './doc-room.ts'
import type { PackedDocs } from './docs.ts'
import { PAGE_RECORDS, packEnvelopes } from './envelope-page.ts'
import type { FileState } from './file-state.ts'
import { addToPrint, endPrint, headPrint } from './file-state.ts'
import { Gathered } from './gathered.ts'
import type { IngestSizes } from './sizes.ts'
import { SIZES } from './sizes.ts'
import { usagePagesOf } from './usage-page.ts'

export interface Batch {
  readonly firstRecord: number
  /** Each at most up to the next border between pages. */
  readonly pages: readonly Uint8Array[]
  readonly docs: PackedDocs
  readonly calls: readonly BatchCall[]
  readonly firstUsage: number
  /** Each at most up to the next border between pages. */
  readonly usagePages: readonly Uint8Array[]
  /** At the new Watermark. */
  readonly state: FileState
  readonly tail: FileTail | null
  /** The size and times the file had when it was opened; null when there is more to read. */
  readonly end: { readonly sizeBytes: number; readonly modifiedMs: number; readonly changedMs: number } | null
  readonly readBytes: number
}

/** What a last line without a line end adds to the state; it is read again when the file has changed. */
export interface FileTail {
  readonly envelopes: readonly Envelope[]
  readonly usages: readonly UsageRecord[]
  readonly sessionId: string | null
  readonly reader: ReaderState
  readonly labels: Labels
  readonly drift: readonly Drift[]
  readonly textProblems: readonly Problem[]
}

export interface BatchCall {
  readonly record: number
  /** Among the calls of the record. */
  readonly number: number
  readonly id: string
  readonly name: string
  readonly command: string | null
  readonly files: readonly FileTouch[]
}

/** Nothing at all when the file cannot be opened: it is then read from the disk by whoever wants it, and refused there. */
export function* readBatches(
  file: TranscriptFile,
  from: FileState,
  sizes: IngestSizes = SIZES,
  room: DocRoom = OWN_ROOM,
): Generator<Batch, void, void> {
  const opened = openTranscript(file.path)
  if (isProblem(opened)) return
  try {
    const { fd, ...end } = opened
    let gathering = new Gathering(file, from)
    for (let isOver = false; !isOver; ) {
      isOver = gathering.fill(fd, sizes)
      const batch = gathering.finish(fd, isOver ? end : null, room)
      yield batch
      if (!isOver) gathering = new Gathering(file, batch.state)
    }
  } catch (error) {
    // A bad sector: what came before it is stored, the rest is tried again next time.
    if (!(error instanceof Error && 'code' in error)) throw error
  } finally {
    closeSync(opened.fd)
  }
}

/** One Batch while it grows. */
class Gathering {
  readonly #before: FileState
  readonly #reader: Reader
  readonly #gathered: Gathered
  #last: Line | null = null
  #fingerprint: number
  #offset: number
  #number: number

  constructor(file: TranscriptFile, before: FileState) {
    this.#before = before
    this.#gathered = new Gathered(file.path, before)
    const options = { isSubagent: file.role === 'subagent', visit: this.#gathered.visit }
    this.#reader = resumeReader(file.path, options, before.reader)
    this.#fingerprint = before.fingerprint
    this.#offset = before.offset
    this.#number = before.number
  }

  /** Reads until there is enough for a Batch. True when the file is over. */
  fill(fd: number, sizes: IngestSizes): boolean {
    const from: LineStart = { offset: this.#offset, number: this.#number }
    const onLast = (line: Line): void => {
      this.#last = { ...line, bytes: line.bytes?.slice() ?? null }
    }
    const options = { visitSketch: this.#gathered.visitSketch, onLast, readBytes: sizes.windowBytes }
    for (const { bytes, length, offset, number } of addAll(this.#reader, fd, from, options)) {
      if (this.#last !== null) return true
      this.#fingerprint = addToPrint(this.#fingerprint, bytes, length)
      this.#offset = offset
      this.#number = number
      if (this.#isFull(sizes)) return false
    }
    return true
  }

  #isFull({ batchBytes, batchRecords }: IngestSizes): boolean {
    return this.#gathered.docs.sizeBytes >= batchBytes || this.#reader.envelopes.length >= batchRecords
  }

  finish(fd: number, end: Batch['end'], room: DocRoom): Batch {
    const { records, usages } = this.#before
    const last = this.#last
    const complete = this.#reader.envelopes.slice()
    const completeUsages = this.#gathered.usages.slice()
    const state = this.#state(fd, records + complete.length)
    const tail = last === null ? null : this.#tail(last, complete.length)
    return {
      firstRecord: records,
      pages: pagesOf(complete, records),
      docs: this.#gathered.docs.finish(room),
      calls: this.#gathered.calls,
      firstUsage: usages,
      usagePages: usagePagesOf(completeUsages, usages),
      state,
      tail,
      end,
      readBytes: this.#offset - this.#before.offset + (last?.length ?? 0),
    }
  }

  #state(fd: number, records: number): FileState {
    return {
      offset: this.#offset,
      number: this.#number,
      records,
      usages: this.#before.usages + this.#gathered.usages.length,
      sessionId: lastSessionId(this.#reader.envelopes) ?? this.#before.sessionId,
      fingerprint: this.#fingerprint,
      head: headPrint(fd, this.#offset),
      end: endPrint(fd, this.#offset),
      reader: saveReader(this.#reader),
      ...this.#gathered.save(),
    }
  }

  /** The state is saved already: what the unended line does to this Gathering goes into the tail alone. */
  #tail(last: Line, completeCount: number): FileTail {
    const usageCount = this.#gathered.usages.length
    addLine(this.#reader, last)
    const envelopes = this.#reader.envelopes.slice(completeCount)
    const { openCalls: _, ...rest } = this.#gathered.save()
    return {
      ...rest,
      envelopes,
      usages: this.#gathered.usages.slice(usageCount),
      sessionId: lastSessionId(envelopes),
      reader: saveReader(this.#reader),
    }
  }
}

function pagesOf(envelopes: readonly Envelope[], firstRecord: number): readonly Uint8Array[] {
  const pages: Uint8Array[] = []
  for (let from = 0; from < envelopes.length; ) {
    const to = Math.min(envelopes.length, from + PAGE_RECORDS - ((firstRecord + from) % PAGE_RECORDS))
    pages.push(packEnvelopes(envelopes.slice(from, to)))
    from = to
  }
  return pages
}
