// What an ingest takes from the records of a file as they pass by, whichever way they were read: words, calls, tokens, names
// and what is strange about them.

import type { Problem } from '../base/problem.ts'
import { problem } from '../base/problem.ts'
import { textKey } from '../base/text.ts'
import type { DriftCounts } from '../record/drift.ts'
import { countDrift, countKinds, driftOf } from '../record/drift.ts'
import type { LabelGathering } from '../record/labels.ts'
import { gatherLabels } from '../record/labels.ts'
import type { Envelope } from '../record/model.ts'
import { promptBody } from '../record/sketch-envelope.ts'
import { holdsLoneSurrogate } from '../record/surrogates.ts'
import type { Visit } from '../record/transcript.ts'
import type { UsageRecord } from '../record/usage-record.ts'
import { usageRecordOf } from '../record/usage-record.ts'
import { usageRecordOfSketch } from '../record/usage-sketch.ts'
import type { VisitSketch } from '../record/window.ts'
import type { Line } from '../source/model.ts'
import type { BatchCall } from './batch.ts'
import { callsOf } from './calls.ts'
import type { DocTexts } from './docs.ts'
import { DocPacker } from './docs.ts'
import type { FileState } from './file-state.ts'
import { sketchTextsOf } from './sketch-texts.ts'
import { textsOf } from './texts.ts'

export class Gathered {
  readonly docs = new DocPacker()
  readonly calls: BatchCall[] = []
  readonly usages: UsageRecord[] = []
  readonly #path: string
  readonly #labels: LabelGathering
  readonly #drift: DriftCounts
  readonly #textProblems: Problem[]
  readonly #openCalls: Map<string, string>
  #records: number

  constructor(path: string, before: FileState) {
    this.#path = path
    this.#records = before.records
    this.#labels = { ...before.labels }
    this.#drift = new Map(before.drift.map((one) => [`${one.kind}\0${one.name}\0${one.version}`, { ...one }]))
    this.#textProblems = [...before.textProblems]
    this.#openCalls = new Map(before.openCalls)
  }

  save(): Pick<FileState, 'labels' | 'drift' | 'textProblems' | 'openCalls'> {
    return {
      labels: { ...this.#labels },
      drift: driftOf(this.#drift).map((one) => ({ ...one })),
      textProblems: [...this.#textProblems],
      openCalls: [...this.#openCalls],
    }
  }

  readonly visit: Visit = (envelope, body, line) => {
    gatherLabels(this.#labels, envelope, body)
    countDrift(this.#drift, envelope, body)
    // Half a surrogate pair can only be written as an escape.
    if (holdsEscape(line) && holdsLoneSurrogate(body)) {
      const { line: number, offset, length } = envelope
      this.#textProblems.push(problem('lone-surrogate', { path: this.#path, line: number, offset, length }))
    }
    const record = this.#records++
    this.#addDoc(record, envelope, (toolOf) => textsOf(envelope, body, toolOf))
    const usage = usageRecordOf(body, envelope.line)
    if (usage !== null) this.usages.push(usage)
    if (envelope.toolUses.length > 0 || envelope.kind === 'attachment') this.calls.push(...callsOf(record, body))
  }

  /** What the scanner read has no half characters, and its keys are known; of its names only a first prompt is one. */
  readonly visitSketch: VisitSketch = (envelope, sketch) => {
    if (envelope.kind === 'prompt' && this.#labels.firstPrompt === null)
      gatherLabels(this.#labels, envelope, promptBody(sketch))
    countKinds(this.#drift, envelope)
    const record = this.#records++
    this.#addDoc(record, envelope, (toolOf) => {
      const { texts, calls } = sketchTextsOf(record, envelope, sketch, toolOf)
      this.calls.push(...calls)
      return texts
    })
    const usage = usageRecordOfSketch(sketch, envelope.line)
    if (usage !== null) this.usages.push(usage)
  }

  #addDoc(
    record: number,
    envelope: Envelope,
    textsBy: (toolOf: (id: string) => string | undefined) => DocTexts | null,
  ): void {
    for (const { id, name } of envelope.toolUses) this.#openCalls.set(id, name)
    const texts = textsBy((id) => this.#openCalls.get(id))
    for (const { id } of envelope.toolResults) this.#openCalls.delete(id)
    if (texts !== null) this.docs.add(record, envelope, texts, copyKey(envelope))
  }
}

const ESCAPE = Buffer.from('\\u')

function holdsEscape({ bytes }: Line): boolean {
  return bytes !== null && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(ESCAPE)
}

/** Records without a uuid have no copies; their place tells them apart. */
function copyKey({ uuid, offset, links }: Envelope): number {
  // The SDK gives new uuids to the records of a fork, and says which ones they had.
  return uuid === null ? -1 - offset : textKey(links?.forkedFromUuid ?? uuid)
}
