// Body → the best of its texts that matches. Every string of a Record is searched, whatever the Record is; what a reader
// sees comes first, because tool output stands in most Records twice.

import { list, object, text } from '../record/fields.ts'
import type { FindNext, Matcher, Span } from './scan-pattern.ts'

export interface TextMatch {
  readonly field: string
  readonly text: string
  readonly first: Span
  readonly count: number
}

export function matchRecord(body: unknown, matcher: Matcher): TextMatch | null {
  const ranks = textsByRank(body)
  return (
    matchTexts(ranks[SAID] ?? [], matcher) ??
    matchJoined(body, matcher) ??
    matchTexts(ranks[TOLD] ?? [], matcher) ??
    matchTexts(ranks[REPEATED] ?? [], matcher) ??
    matchTexts(ranks[UNSEEN] ?? [], matcher)
  )
}

/** An empty match says that there is one; counting the places between all characters would say no more. */
export function countMatches(find: FindNext, first: Span): number {
  let count = 1
  for (let last = first; last.end > last.start; count++) {
    const next = find(last.end)
    if (next === null) return count
    last = next
  }
  return count
}

/** From what a reader looks at to what only programs do. */
const SAID = 0
const TOLD = 1
const REPEATED = 2
const UNSEEN = 3

/** A string in the tree of a Body; its path is only spelled out when it matches. */
interface Place {
  readonly above: Place | null
  readonly key: string | number
  readonly value: unknown
  readonly rank: number
}

/** No recursion: JSON may be nested a million deep. */
function textsByRank(body: unknown): readonly (readonly Place[])[] {
  const ranks: Place[][] = [[], [], [], []]
  const stack: Place[] = [{ above: null, key: '', value: body, rank: TOLD }]
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    const { value, rank } = place
    if (typeof value === 'string') {
      ranks[rank]?.push(place)
    } else if (Array.isArray(value)) {
      for (let key = value.length - 1; key >= 0; key--) stack.push({ above: place, key, value: value[key], rank })
    } else if (typeof value === 'object' && value !== null) {
      pushFields(stack, place, value)
    }
  }
  return ranks
}

function pushFields(stack: Place[], above: Place, value: object): void {
  const fields = Object.entries(value)
  for (let index = fields.length - 1; index >= 0; index--) {
    const [key, inner] = fields[index] as [string, unknown]
    const rank = rankOf(above, key)
    stack.push({ above, key, value: inner, rank })
    // Questions with their answers and paths of files are keys too; a name of the format is no text.
    if (!PLAIN_KEY.test(key)) stack.push({ above, key, value: key, rank })
  }
}

const PLAIN_KEY = /^[\w$-]*$/

function rankOf(above: Place, key: string): number {
  if (UNSEEN_KEYS.has(key)) return UNSEEN
  if (above.above === null) {
    if (key === 'message') return UNSEEN
    return key === 'toolUseResult' || key === 'data' ? REPEATED : TOLD
  }
  const isContent = key === 'content' && above.key === 'message' && above.above.above === null
  if (isContent) return SAID
  return key === 'data' && above.key === 'source' ? UNSEEN : above.rank
}

const UNSEEN_KEYS: ReadonlySet<string> = new Set(
  `type subtype role id uuid parentUuid logicalParentUuid leafUuid messageId sessionId agentId requestId promptId
  tool_use_id toolUseID parentToolUseID sourceToolAssistantUUID timestamp version userType entrypoint cwd gitBranch slug
  signature media_type`.split(/\s+/),
)

function matchTexts(places: readonly Place[], matcher: Matcher): TextMatch | null {
  let best: Omit<TextMatch, 'count'> | null = null
  let count = 0
  for (const place of places) {
    const value = place.value as string
    const find = matcher(value)
    const first = find(0)
    if (first === null) continue
    best ??= { field: fieldOf(place), text: value, first }
    count += countMatches(find, first)
  }
  return best === null ? null : { ...best, count }
}

function fieldOf(place: Place): string {
  const keys: (string | number)[] = []
  for (let at = place; at.above !== null; at = at.above) keys.push(at.key)
  return keys.reverse().join('.')
}

/** What a person copied from the screen may begin in one Block and end in the next. */
function matchJoined(body: unknown, matcher: Matcher): TextMatch | null {
  const blocks = list(object(object(body)?.['message'])?.['content'])
  if (blocks === null || blocks.length < 2) return null
  const joined = blocks.flatMap(blockTexts).join('\n')
  const find = matcher(joined)
  const first = find(0)
  return first === null ? null : { field: 'message.content', text: joined, first, count: countMatches(find, first) }
}

function blockTexts(block: unknown): readonly string[] {
  const fields = object(block)
  if (fields === null) return typeof block === 'string' ? [block] : []
  const own = text(fields['text']) ?? text(fields['thinking']) ?? text(fields['content'])
  if (own !== null) return [own]
  return (list(fields['content']) ?? []).flatMap((inner) => text(object(inner)?.['text']) ?? [])
}
