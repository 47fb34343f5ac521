// What the store has promised, kept outside of it, and whether the disk still has it. Lines are read here by code of our
// own, so that a reader that is too kind cannot hide what a writer did.

import type { DiskNode, FolderNode } from './crash-nodes.ts'
import { nodeAt } from './crash-nodes.ts'

/** The promise that was broken, in words. */
export class Violation extends Error {}

export interface Label {
  promised: string
  /** Asked for after that, and perhaps written. */
  later: string[]
}

export interface SessionModel {
  readonly id: string
  /** Records whose promise was kept, with the words that stand in each. */
  readonly promised: Map<string, string>
  readonly labels: Map<LabelKind, Label>
  /** Where its transcript may be found: both while it is on its way into the trash or back. */
  places: readonly Place[]
}

export type Place = 'projects' | 'clew-trash'

/** Facts of which the last one in the file counts. */
export type LabelKind = keyof typeof LABELS

const LABELS = {
  title: (record: Line['record']) => (record?.['type'] === 'custom-title' ? record['customTitle'] : undefined),
  tag: (record: Line['record']) => (record?.['type'] === 'tag' ? record['tag'] : undefined),
  rewind: (record: Line['record']) => (record?.['explicit'] === true ? record['leafUuid'] : undefined),
  cost: (record: Line['record']) => (record?.['type'] === 'cost-state' ? record['totalCostUSD'] : undefined),
} as const

export interface ModelFigures {
  promised: number
  /** Whole lines nobody was promised, and lines that are none. */
  unpromised: number
  torn: number
}

interface Line {
  readonly text: string
  readonly record: Readonly<Record<string, unknown>> | null
}

const LETTERS = 'tidewatch-and-harbour-pilots-of-the-northern-lights-'

export class CrashModel {
  readonly sessions = new Map<string, SessionModel>()
  readonly figures: ModelFigures = { promised: 0, unpromised: 0, torn: 0 }
  /**
   * A sync that fails takes records away that nobody was promised but anybody could read until the power went. What was
   * promised behind them stays, and hangs below nothing: no writer can know.
   */
  hadFailedSync = false
  readonly #texts: string[] = []
  /** Most lines outlive many crashes. */
  readonly #parsed = new Map<string, Line>()
  /** The bytes that outlived the last power cut: nothing may ever change them. */
  #lasting = new Map<string, Buffer>()

  /** Words that stand nowhere else, so that they are found again, and found to be whole. */
  newText(length: number): string {
    const number = this.#texts.length
    const words = LETTERS.repeat(Math.ceil(length / LETTERS.length)).slice(0, length)
    const text = `t${number}:${words};${number}`
    this.#texts.push(text)
    return text
  }

  session(id: string): SessionModel {
    const known = this.sessions.get(id)
    if (known !== undefined) return known
    const made: SessionModel = { id, promised: new Map(), labels: new Map(), places: ['projects'] }
    this.sessions.set(id, made)
    return made
  }

  promise(id: string, uuid: string, text: string): void {
    this.session(id).promised.set(uuid, text)
    this.figures.promised++
  }

  label(id: string, kind: LabelKind): Label {
    const { labels } = this.session(id)
    const known = labels.get(kind) ?? { promised: '', later: [] }
    labels.set(kind, known)
    return known
  }

  /** Throws the first broken promise. `root` is the Claude directory on the disk. */
  verify(disk: FolderNode, root: string, isAfterPowerCut: boolean): void {
    const files = transcriptsOf(disk, root)
    for (const [id, before] of this.#lasting) {
      for (const { bytes } of files.get(id) ?? [{ bytes: Buffer.alloc(0) }])
        if (!bytes.subarray(0, before.length).equals(before)) throw new Violation(`${id}: bytes that lasted are gone`)
    }
    for (const session of this.sessions.values()) {
      const { id, places, promised } = session
      const found = files.get(id) ?? []
      for (const { place } of found)
        if (!places.includes(place)) throw new Violation(`${id} is in ${place}, not in ${places.join(' or ')}`)
      if (found.length === 0 && promised.size > 0) throw new Violation(`${id}: lost all ${promised.size} records`)
      for (const { bytes } of found) this.#verifySession(session, this.#linesOf(id, bytes))
    }
    if (!isAfterPowerCut) return
    this.#lasting = new Map([...files].map(([id, [first]]) => [id, first?.bytes ?? Buffer.alloc(0)]))
  }

  #linesOf(id: string, bytes: Buffer): readonly Line[] {
    const lines: Line[] = []
    for (let from = 0; from < bytes.length; ) {
      const at = bytes.indexOf(0x0a, from)
      const end = at < 0 ? bytes.length : at
      // Bytes, not characters, and no line end but this one.
      const text = bytes.toString('latin1', from, end)
      from = end + 1
      if (text === '') continue
      const known = this.#parsed.get(text)
      const line = known ?? { text, record: parsed(text) }
      lines.push(line)
      if (line.record === null) this.figures.torn++
      else if (known === undefined) {
        this.#verifyWords(id, text)
        this.#parsed.set(text, line)
      }
    }
    return lines
  }

  /** A line that is whole says what somebody asked for, and all of it. */
  #verifyWords(id: string, text: string): void {
    for (const [words, number] of text.matchAll(/t(\d+):[a-z-]*;?\d*/g)) {
      if (this.#texts[Number(number)] !== words) throw new Violation(`${id}: a record says ${words.slice(0, 60)}`)
    }
  }

  #verifySession({ id, promised, labels }: SessionModel, lines: readonly Line[]): void {
    const byUuid = new Map<string, Line>()
    for (const line of lines) {
      const uuid = line.record?.['uuid']
      if (typeof uuid !== 'string') continue
      const known = byUuid.get(uuid)
      if (known !== undefined && known.text !== line.text) throw new Violation(`${id}: ${uuid} is there in two ways`)
      byUuid.set(uuid, line)
      if (!promised.has(uuid)) this.figures.unpromised++
    }
    for (const [uuid, text] of promised) {
      const line = byUuid.get(uuid)
      if (line === undefined) throw new Violation(`${id}: lost ${uuid} (${text.slice(0, 20)})`)
      if (!line.text.includes(text)) throw new Violation(`${id}: ${uuid} does not say what it said`)
      const parent = line.record?.['parentUuid']
      if (typeof parent === 'string' && !byUuid.has(parent) && !this.hadFailedSync)
        throw new Violation(`${id}: ${uuid} was promised, and its parent ${parent} is not there`)
    }
    for (const [kind, label] of labels) this.#verifyLabel(id, kind, label, lines)
  }

  #verifyLabel(id: string, kind: LabelKind, { promised, later }: Label, lines: readonly Line[]): void {
    const values = lines.map(({ record }) => LABELS[kind](record))
    const value = String(values.findLast((one) => one !== undefined) ?? '')
    if (value !== promised && !later.includes(value))
      throw new Violation(`${id}: ${kind} is ${value.slice(0, 40)}, not ${promised.slice(0, 40)}`)
  }
}

interface FoundTranscript {
  readonly place: Place
  readonly bytes: Buffer
}

function transcriptsOf(disk: FolderNode, root: string): Map<string, readonly FoundTranscript[]> {
  const files = new Map<string, readonly FoundTranscript[]>()
  const visit = (place: Place, name: string, node: DiskNode | null): void => {
    if (node === null) return
    if (node.kind === 'folder') for (const [below, one] of node.names) visit(place, below, one)
    else if (name.endsWith('.jsonl')) {
      const id = name.slice(0, -'.jsonl'.length)
      files.set(id, [...(files.get(id) ?? []), { place, bytes: node.bytes.subarray(0, node.size) }])
    }
  }
  for (const place of ['projects', 'clew-trash'] as const) visit(place, '', nodeAt(disk, `${root}/${place}`))
  return files
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'latin1').toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
