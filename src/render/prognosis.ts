// What the client will do with a transcript on resume, in people's words.

import { count, counted } from './units.ts'

export interface HealthView {
  readonly records: number
  readonly reachable: number
  readonly sent: number
  readonly listed: number
  readonly islands: readonly unknown[]
  readonly tip: { readonly line: number } | null
  readonly hiddenBy: { readonly line: number } | null
  readonly troubles: readonly TroubleView[]
  readonly harmless: readonly TroubleView[]
  readonly damagedLines: number
}

interface TroubleView {
  readonly code: string
  readonly count: number
  readonly lines: readonly number[]
}

export interface PrognosisView {
  readonly outcome: 'whole' | 'cut-short' | 'refused' | 'nothing'
  readonly health: HealthView
  readonly fixes: readonly string[]
  readonly repaired: HealthView
}

/** A line apiece. The last one says what would help. */
export function prognosisLines({ outcome, health, fixes, repaired }: PrognosisView, name: string): readonly string[] {
  // Branches that were left, and what no repair can link, are never reached: then it is not all of it.
  const isPart = outcome === 'whole' && health.reachable < health.records
  const lines = [`${isPart ? AS_MUCH_AS_CAN_BE : OUTCOMES[outcome]}: ${reachLine(health)}`]
  if (health.hiddenBy !== null)
    lines.push(`line ${count(health.hiddenBy.line)} hides what was said after the record it hangs below`)
  for (const trouble of health.troubles) lines.push(troubleLine(trouble))
  if (health.harmless.length > 0) {
    const sum = health.harmless.reduce((total, one) => total + one.count, 0)
    lines.push(`${counted(sum, 'more fault')} where nothing is sent from, which do no harm`)
  }
  if (fixes.length === 0) return lines
  const gain = repaired.reachable > health.reachable ? `; then ${reachLine(repaired)}` : ''
  const would = mends(health, repaired)
    ? `would mend it (${fixes.join(', ')})${gain}`
    : `would only tidy it up (${fixes.join(', ')})`
  return [...lines, `clew repair ${name} ${would}`]
}

/** Whether the client, or the official SDK, gets on better with the repaired transcript than with this one. */
function mends(health: HealthView, repaired: HealthView): boolean {
  return (
    repaired.reachable > health.reachable ||
    repaired.sent > health.sent ||
    repaired.listed > health.listed ||
    repaired.islands.length < health.islands.length ||
    repaired.troubles.length < health.troubles.length ||
    (health.hiddenBy !== null && repaired.hiddenBy === null)
  )
}

const AS_MUCH_AS_CAN_BE = 'On resume Claude Code comes to as much as a repair could give it'

const OUTCOMES = {
  whole: 'On resume Claude Code comes to all of it',
  'cut-short': 'On resume Claude Code loses a part of it',
  refused: 'On resume the API refuses what Claude Code sends',
  nothing: 'On resume Claude Code finds nothing to go on with',
} as const satisfies Record<PrognosisView['outcome'], string>

export function reachLine({ reachable, records, islands, sent }: HealthView): string {
  const cut = islands.length === 0 ? '' : `, ${counted(islands.length, 'island')}`
  return `${count(reachable)} of ${counted(records, 'record')} reachable${cut}; the model is sent ${count(sent)}`
}

function troubleLine({ code, count: times, lines }: TroubleView): string {
  const places = lines.slice(0, 3).map((line) => count(line))
  const more = times > places.length ? ', …' : ''
  const where = places.length === 0 ? '' : ` (line ${places.join(', ')}${more})`
  return `${TROUBLES[code] ?? code} × ${count(times)}${where}`
}

const TROUBLES: Readonly<Record<string, string>> = {
  'call-without-result': 'a tool call without its result',
  'result-without-call': 'a tool result without its call',
  'result-misplaced': 'a tool result that does not follow its call',
  'result-twice': 'a tool result that comes twice',
  'call-twice': 'a tool call that comes twice',
  'unsigned-thinking': 'thinking without a signature',
  'refused-thinking': 'thinking that the API does not take back',
  'image-too-large': 'an image over 5 MB',
  'image-too-wide': 'an image with too many pixels',
  'too-many-images': 'more images than one request may have',
  'lone-surrogate': 'half of a character (a lone surrogate)',
}
