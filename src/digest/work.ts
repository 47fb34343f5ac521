// Some Records of a Turn to what was done in them: the one place where a Brief reads Bodies, each of them once.

import type { Woven } from '../conversation/build.ts'
import type { PlacedRecord, Reply, Turn } from '../conversation/model.ts'
import { contentOf } from '../conversation/parts.ts'
import { typedLine } from '../conversation/typed.ts'
import { list, number, object, text } from '../record/fields.ts'
import type { Body, Envelope, Usage } from '../record/model.ts'
import { promptText, typedText } from '../record/user.ts'
import type { WorkTimes } from './active.ts'
import { workTimes } from './active.ts'
import type { CallFacts } from './call.ts'
import { readCall } from './call.ts'
import { cite } from './citation.ts'
import { closingQuestions, isAnnouncing, leadOf, linesOf } from './condense.ts'
import type { Citation, Told } from './model.ts'

/** A Conversation and the way to its Bodies and Subagents. */
export interface BriefSource {
  readonly woven: Woven
  readonly bodyOf: (path: string, envelope: Envelope) => Body | null
  /** A Subagent as a Conversation of its own; null when its file is gone. */
  readonly openAgent: (agentId: string) => Woven | null
}

/** Which Records a Brief is about: those of one day, say. */
export type Holds = (record: PlacedRecord) => boolean

export interface Work extends WorkTimes {
  readonly intents: readonly Told[]
  readonly texts: readonly SaidText[]
  readonly calls: readonly CallFacts[]
  readonly upsets: readonly Upset[]
  readonly replies: readonly ReplyFact[]
}

export interface SaidText {
  readonly lead: string
  readonly lines: readonly string[]
  readonly questions: readonly string[]
  readonly isAnnouncing: boolean
  readonly cite: Citation
}

export interface Upset extends Told {
  /** It went on all the same: a request that was made again and answered. */
  readonly isMended: boolean
}

export interface ReplyFact {
  readonly messageId: string
  readonly model: string | null
  readonly usage: Usage | null
}

export function turnWork(turn: Turn, source: BriefSource, holds: Holds): Work {
  const paths = pathsOf(source.woven)
  const pathOf = ({ transcript }: PlacedRecord): string => paths[transcript] ?? ''
  const bodyOf = rememberLast((record: PlacedRecord) => source.bodyOf(pathOf(record), record.envelope))
  const citeOf = (record: PlacedRecord): Citation => cite(pathOf(record), record.envelope)
  const records = turn.records.filter(holds)
  const replies = turn.replies.filter((reply) => reply.records.some(holds))
  const calls = turn.toolCalls.filter(({ call }) => holds(call))
  return {
    intents: intentsOf(records, turn.prompt !== null, bodyOf, citeOf),
    texts: replies.flatMap((reply) => textsOf(reply, bodyOf, citeOf)),
    calls: calls.map((call) => readCall(call, pathOf, bodyOf)),
    upsets: upsetsOf(records, bodyOf, citeOf),
    replies: replies
      .filter(({ model }) => model !== SYNTHETIC)
      .map(({ messageId, model, usage }) => ({ messageId, model, usage })),
    ...workTimes(records, calls),
  }
}

export const SYNTHETIC = '<synthetic>'
export const INTERRUPTED = 'interrupted by the person'

export function pathsOf({ source }: Woven): readonly string[] {
  return [source.main.path, ...source.earlier.map(({ path }) => path)]
}

/** A text and the calls behind it often stand in one Record: it is parsed once. */
function rememberLast(read: (record: PlacedRecord) => Body | null): (record: PlacedRecord) => Body | null {
  let last: PlacedRecord | null = null
  let body: Body | null = null
  return (record) => {
    if (last?.envelope !== record.envelope) body = read(record)
    last = record
    return body
  }
}

type BodyOf = (record: PlacedRecord) => Body | null
type CiteOf = (record: PlacedRecord) => Citation

const PROMPT_MAX = 20_000

/** What was asked; where nothing was, the slash command that set it going. */
function intentsOf(
  records: readonly PlacedRecord[],
  hasPrompt: boolean,
  bodyOf: BodyOf,
  citeOf: CiteOf,
): readonly Told[] {
  const told = (record: PlacedRecord, said: string): Told => ({
    text: said.slice(0, PROMPT_MAX),
    cites: [citeOf(record)],
  })
  const prompts = records.filter(({ envelope }) => envelope.kind === 'prompt')
  if (prompts.length > 0) {
    return prompts.map((record) => {
      const images = record.envelope.blocks.filter((kind) => kind === 'image').length
      const said = typedText(contentOf(bodyOf(record))).trim()
      return told(record, images === 0 ? said : `${said} [${images === 1 ? 'image' : `${images} images`}]`.trim())
    })
  }
  // The Prompt may lie outside of what is asked for; it still is what set this going.
  const command = hasPrompt ? undefined : records.find(({ envelope }) => envelope.injection === 'command')
  const called = command === undefined ? null : typedLine(promptText(contentOf(bodyOf(command))))
  return command === undefined || called === null ? [] : [told(command, called)]
}

const LINES_MAX = 10
const LINE_MAX = 320

function textsOf(reply: Reply, bodyOf: BodyOf, citeOf: CiteOf): readonly SaidText[] {
  if (reply.model === SYNTHETIC) return []
  return reply.records.flatMap((record) => {
    if (!record.envelope.blocks.includes('text')) return []
    const said = textBlocks(bodyOf(record))
    if (said.trim() === '') return []
    const lines = linesOf(said, LINES_MAX, LINE_MAX)
    return [
      {
        lead: leadOf(said),
        lines: lines.length > 0 ? lines : ['(code or a table only)'],
        questions: closingQuestions(said),
        isAnnouncing: isAnnouncing(said),
        cite: citeOf(record),
      },
    ]
  })
}

function textBlocks(body: Body | null): string {
  const content = contentOf(body)
  if (typeof content === 'string') return content
  const texts = (list(content) ?? []).flatMap((block) =>
    object(block)?.['type'] === 'text' ? (text(object(block)?.['text']) ?? []) : [],
  )
  return texts.join('\n\n')
}

/** What went wrong without a tool: the API, or the person who stopped it. */
function upsetsOf(records: readonly PlacedRecord[], bodyOf: BodyOf, citeOf: CiteOf): readonly Upset[] {
  const lastReply = records.findLastIndex(({ envelope }) => envelope.kind === 'reply' && envelope.model !== SYNTHETIC)
  return records.flatMap((record, place) => {
    const text = upsetText(record, bodyOf)
    return text === null ? [] : [{ text, cites: [citeOf(record)], isMended: text !== INTERRUPTED && place < lastReply }]
  })
}

function upsetText(record: PlacedRecord, bodyOf: BodyOf): string | null {
  const { envelope } = record
  if (envelope.injection === 'interrupt') return INTERRUPTED
  if (envelope.subtype === 'api_error') {
    const status = number(object(bodyOf(record)?.['error'])?.['status'])
    return `API error${status === null ? '' : ` ${status}`}`
  }
  if (envelope.kind !== 'reply' || envelope.model !== SYNTHETIC) return null
  const body = bodyOf(record)
  return body?.['isApiErrorMessage'] === true ? leadOf(textBlocks(body)) : null
}
