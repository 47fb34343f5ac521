// Calls without a result, and results without their call, on the way the client sends. Nothing is made up in silence: a
// missing result says that it is missing, and a result that cannot stay one becomes a text that says what it was.

import { hasKept } from '../graph/resumed.ts'
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
import { sentNodes } from './live-path.ts'
import { madeResult } from './made.ts'
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
  const boundary = hasKept(thread) ? thread.nodes.findLast(({ last }) => last.kind === 'boundary')?.last : undefined
  const answers: Answers = { tip, boundary, sent, lastOf: new Map() }
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
  for (const { row, call, fault } of moves) move(draft, row, besideWhich(call, boundary), call, fault)
  for (const [row, found] of asText) makeTexts(draft, row, found)
}

interface Answers {
  readonly sent: readonly Envelope[]
  readonly tip: Envelope | undefined
  /** The last compaction of the file, where the client forgets what that did not keep. */
  readonly boundary: Envelope | undefined
  /** What was put behind a reply that has no id, by its uuid. */
  readonly lastOf: Map<string, string>
}

/**
 * Right behind the call, unless the conversation ends before that in the file: then it would become its end. Never before
 * the compaction that makes the client forget.
 */
function answer(draft: Draft, { call, id }: PairFault, { tip, boundary, sent, lastOf }: Answers): void {
  if (call === null || call.uuid === null) return
  const beside = besideWhich(call, boundary)
  const isForgotten = tip !== undefined && besideWhich(tip, boundary) !== tip
  const isBehindTip = beside === call && tip !== undefined && tip.offset < call.offset && !isForgotten
  const offset = placeBeside(draft, isBehindTip ? tip : beside, isBehindTip ? 'before' : 'behind')
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
  addStep(
    draft,
    ['pairs', 'call-without-result', 'answer a call with a result that says it is missing', why],
    [shown(draft, rowOf(draft, call), `calls ${id}`)],
    [shown(draft, row, `answers ${id}`)],
  )
}

/** The call, or the compaction that kept it: before that, the client would forget what belongs to the call. */
function besideWhich(call: Envelope, boundary: Envelope | undefined): Envelope {
  return boundary !== undefined && call.offset < boundary.offset ? boundary : call
}

function move(draft: Draft, row: number, beside: Envelope, call: Envelope, { id, code }: PairFault): void {
  const before = [shown(draft, row, `parentUuid: ${envelopeAt(draft, row).parentUuid ?? 'null'}`)]
  setParent(draft, row, call.uuid)
  moveRow(draft, row, placeBeside(draft, beside, 'behind'))
  const why = 'the API wants a result in the message right behind its call'
  addStep(draft, ['pairs', code, `put the result of ${id} behind its call`, why], before, [
    shown(draft, row, `parentUuid: ${call.uuid}`),
  ])
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
