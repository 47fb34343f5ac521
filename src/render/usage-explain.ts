// How a number of the accounts came about, for eyes and for programs.

import type { FoundPrice } from '../digest/prices.ts'
import type { ClientAccount, ExplainedUsage } from '../digest/usage-explain.ts'
import { copiesOf } from '../digest/usage-explain.ts'
import type { CountedMessage, UsageCopy } from '../digest/usage-fold.ts'
import { messageName } from '../digest/usage-fold.ts'
import type { PricedTokens } from '../digest/usage-sums.ts'
import { nameOf } from '../digest/usage-sums.ts'
import type { Usage } from '../record/model.ts'
import type { Style } from './style.ts'
import { safeLine } from './terminal.ts'
import { count, counted } from './units.ts'
import { dollars, exact, tokenFields } from './usage.ts'
import { padStart } from './width.ts'

export interface ExplainLayout {
  readonly style: Style
  readonly title: string
  readonly shortPath: (path: string) => string
}

export function explainText(explained: ExplainedUsage, layout: ExplainLayout): string {
  const { row, records, transcripts, repeats, copies } = explained
  const { style } = layout
  const cite = (message: CountedMessage): string => citeText(message, layout)
  const lines = [
    style.bold(safeLine(layout.title)),
    `  read     ${counted(records, 'record')} with tokens in ${counted(transcripts, 'transcript')}`,
    `  folded   ${counted(repeats, 'repeat')} in the same transcript, ${counted(copies, 'copy', 'copies')} in others; ${counted(row.messages, 'API message')} left`,
    ...explained.copied.map((message) => `           copied: ${cite(message)}, also ${alsoText(message, layout)}`),
    ...explained.raised.map((message) => `           highest of differing records: ${cite(message)}`),
  ]
  if (row.partialMessages > 0) {
    lines.push(`  partial  output tokens of ${counted(row.partialMessages, 'message')} are those of the beginning`)
    for (const message of explained.partial) lines.push(`           ${cite(message)}`)
  }
  for (const priced of explained.priced) lines.push(...pricedLines(priced))
  const sum = row.costUsd === null ? `${dollars(row.pricedCostUsd)} and what has no price` : dollars(row.costUsd)
  lines.push(`  sum      ${sum}`)
  for (const message of explained.largest) lines.push(`  largest  ${cite(message)}`)
  if (explained.client !== null) lines.push(...clientLines(explained.client, layout))
  return lines.join('\n')
}

function citeText(message: CountedMessage, { shortPath }: ExplainLayout): string {
  const { source, folded } = message
  return `${safeLine(messageName(message))} at ${safeLine(shortPath(source.path))}:${folded.line}`
}

function alsoText(message: CountedMessage, { shortPath }: ExplainLayout): string {
  const copies = copiesOf(message)
  const more = copies.length > 1 ? ` and ${counted(copies.length - 1, 'more place', 'more places')}` : ''
  const [first] = copies
  return `${safeLine(shortPath(first?.source.path ?? ''))}:${first?.record.line}${more}`
}

function pricedLines(priced: PricedTokens): readonly string[] {
  const { found, usage, messages, costUsd } = priced
  const head = `  price    ${safeLine(nameOf(priced))}, ${counted(messages, 'message')}`
  if (found === null || costUsd === null) {
    return [
      `${head}: no price`,
      ...kindsOf(usage, null).map(([name, tokens]) => `           ${padStart(count(tokens), 15)} ${name}`),
    ]
  }
  const by = found.multiplier === 1 ? '' : ` × ${found.multiplier}`
  const lines = kindsOf(usage, found).map(
    ([name, tokens, price]) =>
      `           ${padStart(count(tokens), 15)} ${name} × $${price}${by} a million = $${fixed((tokens * price * found.multiplier) / 1e6)}`,
  )
  return [`${head}: $${fixed(costUsd)}`, ...lines]
}

function fixed(value: number): string {
  return value.toFixed(6)
}

/** Only kinds that were used. */
function kindsOf(usage: Usage, found: FoundPrice | null): readonly (readonly [string, number, number])[] {
  const price = found?.price
  const kinds = [
    ['input', usage.inputTokens, price?.input ?? 0],
    ['output', usage.outputTokens, price?.output ?? 0],
    ['cache read', usage.cacheReadTokens, price?.cacheRead ?? 0],
    ['5m cache write', usage.cacheWriteTokens - usage.cacheWrite1hTokens, price?.cacheWrite5m ?? 0],
    ['1h cache write', usage.cacheWrite1hTokens, price?.cacheWrite1h ?? 0],
  ] as const
  return kinds.filter(([, tokens]) => tokens > 0)
}

function clientLines(client: ClientAccount, { shortPath }: ExplainLayout): readonly string[] {
  const place = `${safeLine(shortPath(client.path))}:${client.line}`
  const more = client.isCarriedOn ? ', counting what was forked' : ''
  if (client.isEqual) return [`  client   its own account is the same${more}: ${place}`]
  const cells = ({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage): string =>
    [inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens].map(count).join(' / ')
  return [
    `  client   its own account differs: ${place}`,
    ...client.models.map(
      ({ model, ours, theirs }) =>
        `           ${safeLine(model)}, input / output / read / write: here ${cells(ours)}, there ${cells(theirs)}`,
    ),
    ...client.reasons.map((reason) => `           maybe: ${reason}`),
  ]
}

/** What stands under `explain` in the JSON of a row. */
export function explainJson(explained: ExplainedUsage): object {
  const { records, transcripts, repeats, copies, client } = explained
  return {
    records,
    transcripts,
    repeats,
    copies,
    raised: explained.raised.map(messageJson),
    copied: explained.copied.map(messageJson),
    partial: explained.partial.map(messageJson),
    largest: explained.largest.map(messageJson),
    priced: explained.priced.map(pricedJson),
    client: client === null ? null : clientJson(client),
  }
}

function messageJson(message: CountedMessage): object {
  const { folded, source, copies } = message
  const places = copies.length === 0 ? [{ source, record: folded }] : copies.slice(0, PLACES_MAX)
  const { model, usage } = folded
  return { id: messageName(message), model, ...tokenFields(usage), places: places.map(placeJson) }
}

const PLACES_MAX = 10

function placeJson({ source, record }: UsageCopy): object {
  return { path: source.path, line: record.line, records: record.records }
}

function pricedJson({ model, rate, found, messages, usage, costUsd }: PricedTokens): object {
  const { input = null, output = null, cacheRead = null, cacheWrite5m = null, cacheWrite1h = null } = found?.price ?? {}
  const usdPerMillion = found === null ? null : { input, output, cacheRead, cacheWrite5m, cacheWrite1h }
  const isLongPrompt = found?.isLongPrompt ?? false
  const multiplier = found?.multiplier ?? null
  return {
    model,
    rate,
    isLongPrompt,
    messages,
    ...tokenFields(usage),
    usdPerMillion,
    multiplier,
    costUsd: costUsd === null ? null : exact(costUsd),
  }
}

function clientJson({ path, line, totalCostUsd, isEqual, isCarriedOn, models, reasons }: ClientAccount): object {
  const compared = models.map(({ model, ours, theirs }) => ({
    model,
    ours: tokenFields(ours),
    theirs: tokenFields(theirs),
  }))
  return { path, line, totalCostUsd, isEqual, isCarriedOn, models: compared, reasons }
}
