// What records have in common: everything but sizes, times, ids and tokens. A page has some forty such Moulds, and each of its
// records says with one byte which it is of. A Mould also says what else is stored of its records (its marks).

import type { Envelope, InjectionKind, RecordKind, ToolUseRef } from '../record/model.ts'
import { type ColumnReader, ColumnWriter } from './page-column.ts'
import { IS_META } from './page-marks.ts'
import type { TextReader, TextWriter } from './page-texts.ts'

export interface Mould {
  readonly marks: number
  readonly type: string
  readonly subtype: string | null
  readonly kind: RecordKind
  readonly injection: InjectionKind | null
  readonly author: Envelope['author']
  readonly model: string | null
  readonly stopReason: string | null
  readonly blockIndex: number | typeof ELSEWHERE | null
  readonly blocks: readonly string[]
  readonly hasCalls: boolean
  readonly toolUses: readonly MouldCall[]
  readonly hasResults: boolean
  /** For each result whether it is an error. */
  readonly toolResults: readonly boolean[]
  /** By number. */
  readonly links: readonly number[] | null
}

export interface MouldCall {
  readonly name: string
  /** Of its prompt. */
  readonly hasKey: boolean
  readonly agentType: string | undefined
}

/** A number that few records have, or that is hard to write, stands among the rare things of its record. */
export const ELSEWHERE = -1
const BLOCK_INDEX_MAX = 60

export function blockIndexOf({ blockIndex }: Envelope): Mould['blockIndex'] {
  if (blockIndex === null) return null
  const isPlain = Number.isInteger(blockIndex) && blockIndex >= 0 && blockIndex <= BLOCK_INDEX_MAX
  return isPlain && !Object.is(blockIndex, -0) ? blockIndex : ELSEWHERE
}

interface PackedMoulds {
  readonly moulds: ColumnWriter
  readonly mouldNumbers: ColumnWriter
}

export function packMoulds(
  envelopes: readonly Envelope[],
  marks: Uint16Array,
  links: readonly (readonly number[] | null)[],
  texts: TextWriter,
): PackedMoulds {
  const samples: Sample[] = []
  const byKey = new Map<number, Sample>()
  const mouldNumbers = new ColumnWriter()
  for (let index = 0; index < envelopes.length; index++) {
    const one = envelopes[index] as Envelope
    const key = keyOf(one, marks[index] as number)
    const first = byKey.get(key)
    let sample = first
    while (sample !== undefined && !isOf(sample, one, marks[index] as number, links[index] as Sample['links']))
      sample = sample.next
    if (sample === undefined) {
      const number = samples.length
      sample = { one, marks: marks[index] as number, links: links[index] as Sample['links'], number, next: first }
      byKey.set(key, sample)
      samples.push(sample)
    }
    mouldNumbers.whole(sample.number)
  }
  return { moulds: packSamples(samples, texts), mouldNumbers }
}

/** The first record of a Mould, which stands for it. */
interface Sample {
  readonly one: Envelope
  readonly marks: number
  readonly links: readonly number[] | null
  readonly number: number
  /** Another one with the same key. */
  readonly next: Sample | undefined
}

/** Equal for records of one Mould, and mostly another for those of others. */
function keyOf({ stopReason, blocks, toolUses }: Envelope, marks: number): number {
  const call = toolUses.length === 0 ? 0 : (toolUses[0] as ToolUseRef).name.length
  const block = blocks.length === 0 ? 0 : (blocks[0] as string).length
  return marks | ((call & 15) << 16) | ((block & 15) << 20) | (((stopReason?.length ?? 0) & 15) << 24)
}

/** Lists of numbers, then of each Mould what is another than in the one before it. */
function packSamples(samples: readonly Sample[], texts: TextWriter): ColumnWriter {
  const lists = new ListWriter()
  const rows = samples.map((sample) => rowOf(sample, texts, lists))
  const to = lists.column
  to.whole(0)
  to.whole(rows.length)
  let before: readonly number[] = []
  for (const row of rows) {
    let changed = 0
    for (let at = 0; at < row.length; at++) if (row[at] !== (before[at] ?? 0)) changed |= 1 << at
    to.whole(changed)
    for (let at = 0; at < row.length; at++) if ((changed & (1 << at)) !== 0) to.whole(row[at] as number)
    before = row
  }
  return to
}

/** Each list once; they end with an empty one, which needs no place. */
class ListWriter {
  readonly column = new ColumnWriter()
  readonly #numbers = new Map<string, number>()

  /** From 1; 0 for an empty one. */
  list(values: readonly number[]): number {
    if (values.length === 0) return 0
    const key = values.join()
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const number = this.#numbers.size + 1
    this.#numbers.set(key, number)
    this.column.whole(values.length)
    for (const value of values) this.column.whole(value)
    return number
  }
}

/** What most often changes stands first. */
function rowOf({ one, marks, links }: Sample, texts: TextWriter, lists: ListWriter): readonly number[] {
  const blockIndex = blockIndexOf(one)
  return [
    marks | (one.isMeta ? IS_META : 0),
    lists.list(one.blocks.map((block) => texts.text(block))),
    lists.list(one.toolUses.map(({ name, promptKey }) => texts.text(name) * 2 + (promptKey === undefined ? 0 : 1))),
    lists.list(one.toolResults.map(({ isError }) => (isError ? 1 : 0))),
    blockIndex === null ? 0 : blockIndex + 2,
    texts.text(one.stopReason),
    texts.text(one.model),
    texts.text(one.type),
    texts.text(one.kind),
    texts.text(one.author),
    links === null ? 0 : lists.list(links) + 1,
    texts.text(one.subtype),
    texts.text(one.injection),
    one.toolUses.every(isUntyped) ? 0 : lists.list(one.toolUses.map(({ agentType }) => texts.text(agentType ?? null))),
  ]
}
// Pages from before there were types of subagents have one less: what they do not mark as changed is 0.
const MOULD_FIELDS = 14

function isUntyped({ agentType }: ToolUseRef): boolean {
  return agentType === undefined
}

export function unpackMoulds(from: ColumnReader, texts: TextReader): readonly Mould[] {
  const lists = unpackLists(from)
  const row = new Array<number>(MOULD_FIELDS).fill(0)
  const moulds: Mould[] = []
  for (let left = from.whole(); left > 0; left--) {
    const changed = from.whole()
    for (let at = 0; at < MOULD_FIELDS; at++) if ((changed & (1 << at)) !== 0) row[at] = from.whole()
    moulds.push(mouldOf(row, lists, texts))
  }
  return moulds
}

function unpackLists(from: ColumnReader): readonly (readonly number[])[] {
  const lists: (readonly number[])[] = [[]]
  for (let count = from.whole(); count > 0; count = from.whole()) {
    const values: number[] = []
    for (let left = count; left > 0; left--) values.push(from.whole())
    lists.push(values)
  }
  return lists
}

function mouldOf(row: readonly number[], lists: readonly (readonly number[])[], texts: TextReader): Mould {
  const [marks = 0, blocks = 0, calls = 0, results = 0, blockIndex = 0] = row
  const links = row[10] as number
  return {
    marks,
    blocks: blocks === 0 ? NONE : blocksOf(lists[blocks] as readonly number[], texts),
    hasCalls: calls !== 0,
    toolUses: calls === 0 ? NONE : callsOf(lists[calls] as readonly number[], lists[row[13] as number] ?? NONE, texts),
    hasResults: results !== 0,
    toolResults: results === 0 ? NONE : (lists[results] as readonly number[]).map((isError) => isError === 1),
    blockIndex: blockIndex === 0 ? null : blockIndex - 2,
    stopReason: texts.text(row[5] as number),
    model: texts.text(row[6] as number),
    type: texts.text(row[7] as number) as string,
    kind: texts.text(row[8] as number) as RecordKind,
    author: texts.text(row[9] as number) as Mould['author'],
    links: links === 0 ? null : (lists[links - 1] as readonly number[]),
    subtype: texts.text(row[11] as number),
    injection: texts.text(row[12] as number) as InjectionKind | null,
  }
}

const NONE: readonly never[] = []

function blocksOf(numbers: readonly number[], texts: TextReader): readonly string[] {
  return numbers.map((number) => texts.text(number) as string)
}

function callsOf(codes: readonly number[], types: readonly number[], texts: TextReader): readonly MouldCall[] {
  return codes.map((code, at) => ({
    name: texts.text(code >> 1) as string,
    hasKey: (code & 1) === 1,
    agentType: texts.text(types[at] ?? 0) ?? undefined,
  }))
}

function isOf(sample: Sample, one: Envelope, marks: number, links: Sample['links']): boolean {
  return sample.marks === marks && isAlike(one, sample.one) && isSameList(links, sample.links)
}

function isAlike(one: Envelope, other: Envelope): boolean {
  return (
    one.type === other.type &&
    one.kind === other.kind &&
    one.stopReason === other.stopReason &&
    one.model === other.model &&
    one.subtype === other.subtype &&
    one.author === other.author &&
    one.injection === other.injection &&
    one.isMeta === other.isMeta &&
    blockIndexOf(one) === blockIndexOf(other) &&
    isSameList(one.blocks, other.blocks) &&
    areSameCalls(one.toolUses, other.toolUses) &&
    one.toolResults.length === other.toolResults.length &&
    one.toolResults.every(({ isError }, at) => isError === other.toolResults[at]?.isError)
  )
}

function areSameCalls(some: readonly ToolUseRef[], others: readonly ToolUseRef[]): boolean {
  if (some.length !== others.length) return false
  for (let at = 0; at < some.length; at++) {
    const one = some[at] as ToolUseRef
    const other = others[at] as ToolUseRef
    if (one.name !== other.name || one.agentType !== other.agentType) return false
    if ((one.promptKey === undefined) !== (other.promptKey === undefined)) return false
  }
  return true
}

function isSameList<Value>(some: readonly Value[] | null, others: readonly Value[] | null): boolean {
  if (some === others) return true
  if (some === null || others === null || some.length !== others.length) return false
  for (let at = 0; at < some.length; at++) if (some[at] !== others[at]) return false
  return true
}
