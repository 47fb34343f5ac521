// A transcript from its Watermark on → Batches: Envelopes in pages, texts for the word index, tool calls, and the state
// behind them. A Batch can be committed on its own, so an ingest that is interrupted goes on behind the last one.

import { isAscii } from 'node:buffer'
import { closeSync } from 'node:fs'
import type { Problem } from '../base/problem.ts'
import { problem } from '../base/problem.ts'
import { textKey } from '../base/text.ts'
import type { FileTouch } from '../conversation/tool/view.ts'
import type { Drift, DriftCounts } from '../record/drift.ts'
import { countDrift, driftOf } from '../record/drift.ts'
import type { LabelGathering, Labels } from '../record/labels.ts'
import { gatherLabels } from '../record/labels.ts'
import type { Body, Envelope } from '../record/model.ts'
import { holdsLoneSurrogate } from '../record/surrogates.ts'
import type { Reader, ReaderState, Visit } from '../record/transcript.ts'
import { addLine, resumeReader, saveReader } from '../record/transcript.ts'
import type { UsageRecord } from '../record/usage-record.ts'
import { usageRecordOf } from '../record/usage-record.ts'
import type { LineStart } from '../source/lines.ts'
import { readLines } from '../source/lines.ts'
import type { Line, TranscriptFile } from '../source/model.ts'
import { isProblem, openTranscript } from '../source/open.ts'
import { callsOf } from './calls.ts'
import type { PackedDocs } from './docs.ts'
import { DocPacker } from './docs.ts'
import { PAGE_RECORDS, packEnvelopes } from './envelope-page.ts'
import type { FileState } from './file-state.ts'
import { addToPrint, endPrint, headPrint } from './file-state.ts'
import type { IngestSizes } from './sizes.ts'
import { SIZES } from './sizes.ts'
import { textsOf } from './texts.ts'
import { usagePagesOf } from './usage-page.ts'
import { decodedOutput } from './words.ts'

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
  /** The size and time the file had when it was opened; null when there is more to read. */
  readonly end: { readonly sizeBytes: number; readonly modifiedMs: number } | null
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

const ESCAPE = Buffer.from('\\u')

/** Nothing at all when the file cannot be opened: it is then read from the disk by whoever wants it, and refused there. */
export function* readBatches(
  file: TranscriptFile,
  from: FileState,
  sizes: IngestSizes = SIZES,
): Generator<Batch, void, void> {
  const opened = openTranscript(file.path)
  if (isProblem(opened)) return
  try {
    const { fd, sizeBytes, modifiedMs } = opened
    let gathering = new Gathering(file, from)
    for (const line of readLines(fd, { offset: from.offset, number: from.number } satisfies LineStart)) {
      if (!line.ended) {
        yield gathering.finish(fd, { sizeBytes, modifiedMs }, line)
        return
      }
      gathering.add(line)
      if (!gathering.isFull(sizes)) continue
      const batch = gathering.finish(fd, null, null)
      yield batch
      gathering = new Gathering(file, batch.state)
    }
    yield gathering.finish(fd, { sizeBytes, modifiedMs }, null)
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
  readonly #file: TranscriptFile
  readonly #reader: Reader
  readonly #labels: LabelGathering
  readonly #drift: DriftCounts
  readonly #textProblems: Problem[]
  readonly #openCalls: Map<string, string>
  readonly #docs = new DocPacker()
  readonly #calls: BatchCall[] = []
  readonly #usages: UsageRecord[] = []
  #hasEscapes = true
  #isPlain = false
  #fingerprint: number
  #offset: number
  #number: number

  constructor(file: TranscriptFile, before: FileState) {
    this.#before = before
    this.#file = file
    const visit: Visit = (envelope, body, isUndecoded) => this.#visit(envelope, body, isUndecoded)
    const options = { isSubagent: file.role === 'subagent', isExact: true, visit }
    this.#reader = resumeReader(file.path, options, before.reader)
    this.#labels = { ...before.labels }
    this.#drift = new Map(before.drift.map((one) => [`${one.kind}\0${one.name}\0${one.version}`, { ...one }]))
    this.#textProblems = [...before.textProblems]
    this.#openCalls = new Map(before.openCalls)
    this.#fingerprint = before.fingerprint
    this.#offset = before.offset
    this.#number = before.number
  }

  add(line: Line): void {
    this.#look(line)
    addLine(this.#reader, line, !this.#hasEscapes && !this.#isPlain)
    this.#fingerprint = addToPrint(this.#fingerprint, line.bytes, line.length)
    this.#offset = line.offset + line.length
    this.#number = line.number + 1
  }

  /** Two quick looks at the bytes spare most lines a slow look at their texts. */
  #look({ bytes }: Line): void {
    this.#hasEscapes = bytes === null || bufferOf(bytes).includes(ESCAPE)
    this.#isPlain = !this.#hasEscapes && bytes !== null && isAscii(bytes)
  }

  /** Only where a page ends, so that pages need not be filled up later. */
  isFull({ batchBytes, batchRecords }: IngestSizes): boolean {
    const records = this.#before.records + this.#reader.envelopes.length
    if (records % PAGE_RECORDS !== 0 || records === this.#before.records) return false
    return this.#docs.sizeBytes >= batchBytes || this.#reader.envelopes.length >= batchRecords
  }

  finish(fd: number, end: Batch['end'], last: Line | null): Batch {
    const { records, usages } = this.#before
    const complete = this.#reader.envelopes.slice()
    const completeUsages = this.#usages.slice()
    const state = this.#state(fd, records + complete.length)
    const tail = last === null ? null : this.#tail(last, complete.length)
    return {
      firstRecord: records,
      pages: pagesOf(complete, records),
      docs: this.#docs.finish(),
      calls: this.#calls,
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
      usages: this.#before.usages + this.#usages.length,
      sessionId: this.#before.sessionId ?? firstSessionId(this.#reader.envelopes),
      fingerprint: this.#fingerprint,
      head: headPrint(fd, this.#offset),
      end: endPrint(fd, this.#offset),
      reader: saveReader(this.#reader),
      labels: { ...this.#labels },
      drift: driftOf(this.#drift).map((one) => ({ ...one })),
      textProblems: [...this.#textProblems],
      openCalls: [...this.#openCalls],
    }
  }

  /** The state is saved already: what the unended line does to this Gathering goes into the tail alone. */
  #tail(last: Line, completeCount: number): FileTail {
    const usageCount = this.#usages.length
    this.#look(last)
    addLine(this.#reader, last)
    const envelopes = this.#reader.envelopes.slice(completeCount)
    return {
      envelopes,
      usages: this.#usages.slice(usageCount),
      sessionId: firstSessionId(envelopes),
      reader: saveReader(this.#reader),
      labels: this.#labels,
      drift: driftOf(this.#drift),
      textProblems: this.#textProblems,
    }
  }

  #visit(envelope: Envelope, body: Body, isUndecoded: boolean): void {
    // A tool result has nothing to be called by.
    if (!isUndecoded) gatherLabels(this.#labels, envelope, body)
    countDrift(this.#drift, envelope, body)
    // Half a surrogate pair can only be written as an escape.
    if (this.#hasEscapes && holdsLoneSurrogate(body)) {
      const { line, offset, length } = envelope
      this.#textProblems.push(problem('lone-surrogate', { path: this.#file.path, line, offset, length }))
    }
    // The Envelope was pushed just before it is shown here.
    const record = this.#before.records + this.#reader.envelopes.length - 1
    for (const { id, name } of envelope.toolUses) this.#openCalls.set(id, name)
    const texts = textsOf(envelope, body, (id) => this.#openCalls.get(id))
    if (isUndecoded && texts !== null) texts.output = decodedOutput(texts.output)
    for (const { id } of envelope.toolResults) this.#openCalls.delete(id)
    if (texts !== null) this.#docs.add(record, envelope, texts, copyKey(envelope), this.#isPlain)
    const usage = usageRecordOf(body, envelope.line)
    if (usage !== null) this.#usages.push(usage)
    if (envelope.toolUses.length > 0) this.#calls.push(...callsOf(record, body))
  }
}

function firstSessionId(envelopes: readonly Envelope[]): string | null {
  return envelopes.find(({ sessionId }) => sessionId !== null)?.sessionId ?? null
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Records without a uuid have no copies; their place tells them apart. */
function copyKey({ uuid, offset, links }: Envelope): number {
  // The SDK gives new uuids to the records of a fork, and says which ones they had.
  return uuid === null ? -1 - offset : textKey(links?.forkedFromUuid ?? uuid)
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
