// A conversation that is larger than the model can take, made smaller: what was said last stays as it is, and before it
// stands a summary. The summary is made by whoever knows how; without one it is an extract, the same each time.

import type { Body } from '../record/model.ts'
import type { ApiMessage } from './messages.ts'
import { messagesOf } from './messages.ts'
import type { StoredSession } from './stored-session.ts'
import { isTalk } from './stored-session.ts'
import type { ChainedRecord } from './stored-transcript.ts'

export interface SummaryTurn {
  readonly prompt: string
  /** What the model said last in it. */
  readonly answer: string
  /** Names of the tools it used, each once, and how often. */
  readonly tools: ReadonlyMap<string, number>
}

export type Summarise = (turns: readonly SummaryTurn[], budgetTokens: number) => string | Promise<string>

export interface FitOptions {
  readonly budgetTokens: number
  readonly summarise?: Summarise
}

/** Four bytes of text are about a token; with what stands around it that is rather too many than too few. */
export function tokensOf(messages: readonly ApiMessage[]): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify(messages)) / 4)
}

/** True when the session was too large, and now begins anew with a summary. */
export async function compactToFit(session: StoredSession, options: FitOptions): Promise<boolean> {
  const plan = await planFit(session.chain(), options)
  if (plan === null) return false
  const { summary, preserve, preTokens } = plan
  await session.compact(summary, { trigger: 'auto', preTokens, preserve: preserve.map(({ uuid }) => uuid) })
  return true
}

export interface FitPlan {
  readonly summary: string
  readonly preserve: readonly ChainedRecord[]
  readonly preTokens: number
}

/** Null when it fits. */
export async function planFit(
  chain: readonly ChainedRecord[],
  { budgetTokens, summarise = extract }: FitOptions,
): Promise<FitPlan | null> {
  const preTokens = tokensOf(messagesOf(chain.map(({ body }) => body)))
  if (preTokens <= budgetTokens) return null
  const half = Math.floor(budgetTokens / 2)
  const from = startOfLastTurns(chain, half)
  const preserve = from === undefined ? [] : chain.slice(from).filter(({ body }) => isTalk(body))
  const turns = turnsOf(chain.slice(0, from ?? chain.length).map(({ body }) => body))
  return { summary: await summarise(turns, half), preserve, preTokens }
}

/** As many of the last Turns as fit; undefined when the last one alone is too large. */
function startOfLastTurns(chain: readonly ChainedRecord[], budgetTokens: number): number | undefined {
  let from: number | undefined
  let tokens = 0
  for (let at = chain.length - 1; at >= 0; at--) {
    const { body } = chain[at] as ChainedRecord
    tokens += roomOf(body)
    if (tokens > budgetTokens) break
    if (promptOf(body) !== null) from = at
  }
  return from
}

/** By itself a result is no message, because its call stands in another record; its room it takes all the same. */
function roomOf(body: Body): number {
  const content = (body['message'] as Body | undefined)?.['content'] as ApiMessage['content']
  return isTalk(body) ? tokensOf([{ role: 'user', content }]) : 0
}

function turnsOf(records: readonly Body[]): readonly SummaryTurn[] {
  const turns: { prompt: string; answer: string; tools: Map<string, number> }[] = []
  for (const record of records) {
    const prompt = promptOf(record)
    if (prompt !== null) turns.push({ prompt, answer: '', tools: new Map() })
    const turn = turns.at(-1)
    if (turn === undefined || record['type'] !== 'assistant') continue
    for (const block of blocksOf(record)) {
      if (block['type'] === 'text' && typeof block['text'] === 'string') turn.answer = block['text']
      if (block['type'] !== 'tool_use') continue
      const name = String(block['name'])
      turn.tools.set(name, (turn.tools.get(name) ?? 0) + 1)
    }
  }
  return turns
}

/** What begins a Turn: something said, not the result of a tool. */
function promptOf(record: Body): string | null {
  if (record['type'] !== 'user' || record['isMeta'] === true) return null
  const content = (record['message'] as Body | undefined)?.['content']
  if (typeof content === 'string') return content
  const texts = blocksOf(record).flatMap((block) => (block['type'] === 'text' ? [String(block['text'])] : []))
  return texts.length === 0 ? null : texts.join('\n')
}

function blocksOf(record: Body): readonly Body[] {
  const content = (record['message'] as Body | undefined)?.['content']
  return Array.isArray(content) ? (content as readonly Body[]) : []
}

const LINE_MAX = 400
const HEAD = 'This session is being continued from a previous conversation. What was asked and answered before:'

/** The first Turn and the last ones as far as they fit: what it was about, and where it stands. */
export function extract(turns: readonly SummaryTurn[], budgetTokens: number): string {
  const told = turns.map(tell)
  const room = budgetTokens * 4 - HEAD.length - 100
  const last: string[] = []
  const [first = ''] = told
  let length = first.length
  for (const one of told.slice(1).reverse()) {
    length += one.length + 1
    if (length > room) break
    last.unshift(one)
  }
  const left = told.length - 1 - last.length
  const gap = left > 0 ? [`(${left} more in between)`] : []
  return [HEAD, first, ...gap, ...last].join('\n')
}

function tell({ prompt, answer, tools }: SummaryTurn): string {
  const used = [...tools].map(([name, count]) => (count === 1 ? name : `${name} ×${count}`)).join(', ')
  const lines = [`- Asked: ${short(prompt)}`]
  if (used !== '') lines.push(`  Used: ${used}`)
  if (answer !== '') lines.push(`  Answered: ${short(answer)}`)
  return lines.join('\n')
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= LINE_MAX ? line : `${line.slice(0, LINE_MAX).replace(/[\ud800-\udbff]$/, '')}…`
}
