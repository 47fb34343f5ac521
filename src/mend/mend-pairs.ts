// Calls without a result, and results without their call, on the way the client sends. Nothing is made up in silence: a
// missing result says that it is missing, and a result that cannot stay one becomes a text that says what it was.

import { lastRemembered } from '../graph/resumed.ts'
import type { Thread, ThreadNode } from '../graph/thread.ts'
import { object } from '../record/fields.ts'
import type { Body, Envelope } from '../record/model.ts'
import type { Draft } from './draft.ts'
import {
  addMade,
  addStep,
  envelopeAt,
  moveRow,
  placeBeside,
  rowOf,
  setField,
  setParent,
  shown,
  threadOf,
} from './draft.ts'
import { setKept } from './keep.ts'
import { clientLinks, sentNodes } from './live-path.ts'
import { madeResult } from './made.ts'
import type { StepRecord } from './model.ts'
import type { PairFault } from './pairs.ts'
import { pairFaults } from './pairs.ts'
import { blocksOf, replaceBlocks } from './row-text.ts'
import { isMade, MARK, resultText } from './said.ts'
import { passBy } from './take-out.ts'

export function mendPairs(draft: Draft): void {
  const thread = threadOf(draft)
  const sent = sentNodes(thread).map(({ last }) => last)
  const faults = pairFaults(sent)
  const tip = sent.at(-1)
  const asText = new Map<number, PairFault[]>()
  const above = new Map<string, string | null>()
  const moves: { readonly row: number; readonly call: Envelope; readonly fault: PairFault }[] = []
  const keeps = keepsOf(draft, thread)
  const answers: Answers = { tip, keeps, sent, lastOf: new Map() }
  for (const fault of faults) {
    const row = rowOf(draft, fault.record)
    const { record, call, code } = fault
    if (code === 'call-without-result') answer(draft, fault, answers)
    else if (code === 'result-misplaced' && call !== null && record.blocks.length === 1 && record.uuid !== null) {
      above.set(record.uuid, record.parentUuid)
      moves.push({ row, call, fault })
    } else {
      asText.set(row, [...(asText.get(row) ?? []), fault])
      if (code === 'result-misplaced') answer(draft, fault, answers)
    }
  }
  passBy(draft, above)
  for (const { row, call, fault } of moves) move(draft, row, call, fault, keeps)
  if (keeps !== null) keepResults(draft, thread, keeps)
  for (const [row, found] of asText) makeTexts(draft, row, found)
}

interface Answers {
  readonly sent: readonly Envelope[]
  readonly tip: Envelope | undefined
  readonly keeps: Keeps | null
  /** What was put behind a reply that has no id, by its uuid. */
  readonly lastOf: Map<string, string>
}

/**
 * Right behind the call, unless the conversation ends before that in the file: then it would become its end. Never before
 * the compaction that makes the client forget.
 */
function answer(draft: Draft, { call, id }: PairFault, { tip, keeps, sent, lastOf }: Answers): void {
  if (call === null || call.uuid === null) return
  const isTipKept = keeps?.uuids.has(tip?.uuid ?? '') === true
  const isBehindTip = tip !== undefined && tip.offset < call.offset && !isTipKept
  const offset = placeBeside(draft, isBehindTip ? tip : call, isBehindTip ? 'before' : 'behind')
  const parentUuid = lastOf.get(call.uuid) ?? call.uuid
  const { body, envelope } = madeResult(
    { ...call, offset },
    { parentUuid, callUuid: call.uuid, callId: id },
    draft.newId(),
  )
  const row = addMade(draft, body, envelope)
  // Readers know what belongs to a reply by its id. Behind one without, a result must stand on the way itself.
  if (call.messageId === null && envelope.uuid !== null) {
    lastOf.set(call.uuid, envelope.uuid)
    for (const next of sent) if (next.parentUuid === call.uuid) setParent(draft, rowOf(draft, next), envelope.uuid)
  }
  const why = 'no result of it was recorded, and the API refuses a call without one'
  const [before, after] = keepWith(draft, keeps, call, row)
  addStep(
    draft,
    ['pairs', 'call-without-result', 'answer a call with a result that says it is missing', why],
    [shown(draft, rowOf(draft, call), `calls ${id}`), ...before],
    [shown(draft, row, `answers ${id}`), ...after],
  )
}

/** What the last compaction keeps, where the client forgets all else before that. */
interface Keeps {
  readonly row: number
  readonly uuids: ReadonlySet<string>
  /** The results to be kept too, by the call they belong to. */
  readonly results: Map<string, string[]>
}

function keepsOf(draft: Draft, thread: Thread): Keeps | null {
  const remembered = lastRemembered(thread, clientLinks(thread).walked)
  const boundary = remembered === null ? undefined : thread.nodes[remembered.boundary]?.last
  if (remembered === null || boundary === undefined) return null
  const uuids = new Set(remembered.kept.flatMap((index) => thread.nodes[index]?.uuid ?? []))
  return { row: rowOf(draft, boundary), uuids, results: new Map() }
}

/** The result of a call that was kept is to be kept too. Gives the compaction for the step, before and after. */
function keepWith(
  draft: Draft,
  keeps: Keeps | null,
  call: Envelope,
  row: number,
): readonly [StepRecord[], StepRecord[]] {
  const { uuid } = envelopeAt(draft, row)
  if (keeps === null || uuid === null || call.uuid === null || !keeps.uuids.has(call.uuid)) return [[], []]
  keeps.results.set(call.uuid, [...(keeps.results.get(call.uuid) ?? []), uuid])
  return [[shown(draft, keeps.row, 'keeps the call')], [shown(draft, keeps.row, 'keeps the call and its result')]]
}

/**
 * Behind the rest of their reply. Anywhere else they would be forgotten, or each be an end of its own, which may hide what
 * was kept.
 */
function keepResults(draft: Draft, thread: Thread, { row, uuids, results }: Keeps): void {
  const preserved = envelopeAt(draft, row).boundary?.preserved ?? null
  if (preserved === null || results.size === 0) return
  const added = new Set([...results.values()].flat())
  const kept: string[] = []
  let waiting: string[] = []
  let reply: string | null = null
  for (const uuid of uuids) {
    if (added.has(uuid)) continue
    const { kind, messageId } = (thread.nodes[thread.byUuid.get(uuid) ?? -1] as ThreadNode).last
    if (kind !== 'tool-result' && (messageId === null || messageId !== reply)) {
      for (const result of waiting) kept.push(result)
      waiting = []
      reply = messageId
    }
    kept.push(uuid)
    for (const result of results.get(uuid) ?? []) waiting.push(result)
  }
  setKept(draft, row, { ...preserved, uuids: [...kept, ...waiting] })
}

function move(draft: Draft, row: number, call: Envelope, { id, code }: PairFault, keeps: Keeps | null): void {
  const before = [shown(draft, row, `parentUuid: ${envelopeAt(draft, row).parentUuid ?? 'null'}`)]
  setParent(draft, row, call.uuid)
  moveRow(draft, row, placeBeside(draft, call, 'behind'))
  const [keptBefore, keptAfter] = keepWith(draft, keeps, call, row)
  const why = 'the API wants a result in the message right behind its call'
  addStep(
    draft,
    ['pairs', code, `put the result of ${id} behind its call`, why],
    [...before, ...keptBefore],
    [shown(draft, row, `parentUuid: ${call.uuid}`), ...keptAfter],
  )
}

type TextCode = Exclude<PairFault['code'], 'call-without-result'>

const WORDS: Readonly<Record<TextCode, readonly [what: string, why: string, text: string]>> = {
  'result-without-call': [
    'make a text of a result whose call is not there',
    'the API refuses a result without its call',
    'The result of a tool call that is not in this conversation:',
  ],
  'result-misplaced': [
    'make a text of a result that is far from its call',
    'the API wants a result in the message right behind its call',
    'The result of an earlier tool call:',
  ],
  'result-twice': [
    'make a text of a second result of one call',
    'the API refuses two results of one call',
    'Another result of the same tool call:',
  ],
  'call-twice': [
    'make a text of a call that stands there twice',
    'the API refuses two calls of one id',
    'The same tool call was recorded a second time.',
  ],
}

function makeTexts(draft: Draft, row: number, faults: readonly PairFault[]): void {
  const { line, offset, length, toolResults, toolUses } = envelopeAt(draft, row)
  const blocks = blocksOf(draft, row)
  const gone = new Set<number>()
  const made: Body[] = []
  const records = [shown(draft, row, `${toolResults.length} results, ${toolUses.length} calls`)]
  for (const { at, code } of faults) {
    const kind = code === 'call-twice' ? 'tool_use' : 'tool_result'
    const block = blocks.flatMap((one, index) => (object(one)?.['type'] === kind ? [index] : []))[at]
    if (block === undefined) continue
    gone.add(block)
    const lead = `${MARK} ${WORDS[code as TextCode][2]}`
    const said = kind === 'tool_use' ? '' : `\n${resultText(object(blocks[block])?.['content'])}`
    made.push({ type: 'text', text: `${lead}${said}` })
  }
  draft.quarantine.push({
    line,
    offset: draft.survey.envelopes[row]?.offset ?? offset,
    length,
    code: (faults[0] as PairFault).code,
  })
  const hasOwnText = blocks.some((one, index) => !gone.has(index) && !isMadeText(one))
  if (envelopeAt(draft, row).type === 'user' && !hasOwnText) setField(draft, row, ['isMeta'], true)
  replaceBlocks(draft, row, gone, made)
  for (const { code } of faults) {
    const [what, why] = WORDS[code as TextCode]
    addStep(draft, ['pairs', code, what, why], records, [shown(draft, row, 'a text')])
  }
}

function isMadeText(block: unknown): boolean {
  const value = object(block)?.['text']
  return typeof value === 'string' && isMade(value)
}
