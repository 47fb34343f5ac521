// A row of the accounts → how it came about: how many records were read, what was folded, which price met which tokens,
// and the lines to look at. Where the client kept its own account of a session, the two are compared.

import type { Usage } from '../record/model.ts'
import type { PriceTable } from './prices.ts'
import { costOf, findPrice, longPromptOf } from './prices.ts'
import type { CountedMessage, UsageCopy } from './usage-fold.ts'
import { sessionOf } from './usage-fold.ts'
import type { UsageRow } from './usage-rows.ts'
import type { PricedTokens } from './usage-sums.ts'
import { sumOf, tokensOf } from './usage-sums.ts'

export interface ExplainedUsage {
  readonly row: UsageRow
  readonly records: number
  readonly transcripts: number
  /** Records that repeat a message in the transcript of its owner. */
  readonly repeats: number
  /** Records in other transcripts: forks, continuations, copied folders. */
  readonly copies: number
  /** Messages whose records do not agree: the highest of each field counts. */
  readonly raised: readonly CountedMessage[]
  readonly copied: readonly CountedMessage[]
  readonly partial: readonly CountedMessage[]
  /** By cost, the highest first. */
  readonly largest: readonly CountedMessage[]
  readonly priced: readonly PricedTokens[]
  readonly client: ClientAccount | null
}

const EXAMPLES = 3

export function explainUsage(row: UsageRow, prices: PriceTable, client: ClientAccount | null): ExplainedUsage {
  const paths = new Set<string>()
  let records = 0
  let copies = 0
  for (const message of row.members) {
    records += message.folded.records
    paths.add(message.source.path)
    for (const { source, record } of copiesOf(message)) {
      paths.add(source.path)
      copies += record.records
    }
  }
  const inOrder = [...row.members].sort(byPlace)
  const weight = new Map(inOrder.map((message) => [message, weightOf(message, prices)]))
  const heaviest = [...inOrder].sort((one, other) => (weight.get(other) ?? 0) - (weight.get(one) ?? 0))
  return {
    row,
    records,
    transcripts: paths.size,
    repeats: records - copies - row.messages,
    copies,
    raised: inOrder.filter(({ folded }) => folded.isRaised).slice(0, EXAMPLES),
    copied: inOrder.filter((message) => copiesOf(message).length > 0).slice(0, EXAMPLES),
    partial: inOrder.filter(({ folded }) => !folded.isFinal).slice(0, EXAMPLES),
    largest: heaviest.slice(0, EXAMPLES),
    priced: row.priced,
    client,
  }
}

/** Where it stands beside the transcript of its owner. */
export function copiesOf({ source, copies }: CountedMessage): readonly UsageCopy[] {
  return copies.filter((copy) => copy.source !== source)
}

function byPlace(one: CountedMessage, other: CountedMessage): number {
  if (one.source === other.source) return one.folded.line - other.folded.line
  return one.source.path < other.source.path ? -1 : 1
}

function weightOf({ folded: { model, rate, usage } }: CountedMessage, prices: PriceTable): number {
  const prompt = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens
  const found = findPrice(prices, model, rate, prompt > longPromptOf(prices, model))
  return found === null ? tokensOf(usage) / 1e12 : costOf(found, usage)
}

/** The client's own account of a session, as far as it goes. */
export interface ClientSums {
  readonly path: string
  readonly line: number
  readonly totalCostUsd: number | null
  readonly models: ReadonlyMap<string, Usage>
}

export interface ClientAccount {
  readonly path: string
  readonly line: number
  readonly totalCostUsd: number | null
  readonly isEqual: boolean
  /** It goes on from the account of the session that this one was forked from. */
  readonly isCarriedOn: boolean
  readonly models: readonly ComparedModel[]
  /** In words; none when both are equal. */
  readonly reasons: readonly string[]
}

export interface ComparedModel {
  readonly model: string
  readonly ours: Usage
  readonly theirs: Usage
}

const FIELDS = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'cacheWrite1hTokens'] as const

/**
 * All messages that a session made, subagents included, against its last `cost-state`. A fork may carry the account of
 * what it was made from on: then what it copied counts too.
 */
export function compareWithClient(
  all: readonly CountedMessage[],
  sessionId: string,
  client: ClientSums,
): ClientAccount {
  const isOwn = (message: CountedMessage): boolean => sessionOf(message) === sessionId
  const isCopied = ({ copies }: CountedMessage): boolean => copies.some(({ record }) => record.sessionId === sessionId)
  const own = compared(all.filter(isOwn), client, false)
  if (own.isEqual) return own
  const held = compared(
    all.filter((message) => isOwn(message) || isCopied(message)),
    client,
    true,
  )
  return held.isEqual ? held : own
}

function compared(messages: readonly CountedMessage[], client: ClientSums, isCarriedOn: boolean): ClientAccount {
  const names = new Set([...messages.map(({ folded }) => folded.model ?? ''), ...client.models.keys()])
  const models = [...names].sort().map((model): ComparedModel => {
    const ours = sumOf(
      messages.filter(({ folded }) => (folded.model ?? '') === model).map(({ folded }) => folded.usage),
    )
    return { model, ours, theirs: client.models.get(model) ?? sumOf([]) }
  })
  const isLess = models.some(({ ours, theirs }) => FIELDS.some((field) => ours[field] < theirs[field]))
  const isMore = models.some(({ ours, theirs }) => FIELDS.some((field) => ours[field] > theirs[field]))
  const reasons: string[] = []
  if (isLess)
    reasons.push('the client counts requests that leave no record: compactions, titles, summaries, empty replies')
  if (isLess && messages.some(({ folded }) => !folded.isFinal))
    reasons.push('some output tokens stand in the transcript only in part')
  if (isMore)
    reasons.push(
      'the transcript holds responses the client did not count: interrupted ones, and those after its last account when it was killed',
    )
  const { path, line, totalCostUsd } = client
  return { path, line, totalCostUsd, isEqual: !isLess && !isMore, isCarriedOn, models, reasons }
}
