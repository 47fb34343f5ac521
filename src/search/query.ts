// What a person types → what is asked of the word index. Words are all wanted, in any order; "several words" stand side
// by side; so do the parts of src/x.ts or foo_bar, which the index knows as words. Nothing that is typed is an error:
// what the syntax cannot use is taken as words.

import { wordsOf } from './words.ts'

export interface Term {
  /** More than one stand side by side. */
  readonly words: readonly string[]
  readonly isPrefix: boolean
  /** As typed, where there is more to it than its words: a hit should hold just this. */
  readonly literal: string | null
  /** Whoever quotes a word wants that word and no other form of it. */
  readonly isQuoted: boolean
}

export interface Query {
  /** One term of each group must be there. */
  readonly groups: readonly (readonly Term[])[]
  readonly not: readonly Term[]
  readonly paths: readonly Term[]
  readonly tools: readonly Term[]
  readonly commands: readonly Term[]
  /** What has no word in it, such as an emoji: only the texts can tell. */
  readonly wordless: readonly string[]
  /** All words in the order in which they were typed; empty where operators say otherwise. */
  readonly inOrder: readonly string[]
  /** Only what holds every literal counts: for what is asked on a guess. */
  readonly isVerbatim: boolean
  /** Everything that is looked for, as one text. */
  readonly typed: string
}

interface Piece {
  readonly text: string
  readonly isQuoted: boolean
  readonly isNot: boolean
  readonly field: string | null
}

const FIELDS: Readonly<Record<string, 'paths' | 'tools' | 'commands'>> = {
  path: 'paths',
  file: 'paths',
  tool: 'tools',
  cmd: 'commands',
  command: 'commands',
}

/** Nobody means more; somebody may paste more, and its beginning tells it from anything else. */
const TERMS_MAX = 48
const WORDS_MAX = 48

export function parseQuery(typed: string): Query {
  const query = queryOf(piecesOf(typed), typed)
  // A minus alone leaves nothing to look for, so it is part of what is looked for: -XX:MaxRAMPercentage.
  return isOpen(query) && query.not.length > 0 ? queryOf(withMinus(typed), typed) : query
}

/** The same with each minus as a part of its word: `prune -af` may be a command that was pasted. Null without a minus. */
export function parseVerbatim(typed: string): Query | null {
  if (parseQuery(typed).not.length === 0) return null
  return { ...queryOf(withMinus(typed), typed), isVerbatim: true }
}

function withMinus(typed: string): readonly Piece[] {
  return [...piecesOf(typed)].map((piece) => (piece.isNot ? { ...piece, text: `-${piece.text}`, isNot: false } : piece))
}

function queryOf(pieces: Iterable<Piece>, typed: string): Query {
  const groups = new Map<string, Term[]>()
  const wordless: string[] = []
  const not: Term[] = []
  const fields = { paths: [] as Term[], tools: [] as Term[], commands: [] as Term[] }
  const inOrder: string[] = []
  let isPlain = true
  let last: Term[] | null = null
  let joins = false
  let count = 0
  for (const piece of pieces) {
    if (piece.text === 'OR' && !piece.isQuoted && piece.field === null && !piece.isNot) {
      joins = last !== null
      continue
    }
    const term = termOf(piece)
    if (term === null) {
      if (isPicture(piece.text) && !piece.isNot) wordless.push(piece.text)
      continue
    }
    if (++count > TERMS_MAX) break
    if (piece.isNot) not.push(term)
    else if (piece.field !== null) fields[FIELDS[piece.field] ?? 'paths'].push(term)
    else {
      const key = `${term.literal} ${matchText(term)}`
      const group: Term[] = joins && last !== null ? last : (groups.get(key) ?? [])
      if (joins || group.length === 0) group.push(term)
      if (!joins) groups.set(key, group)
      isPlain &&= !joins && !term.isPrefix
      inOrder.push(...term.words)
      last = group
    }
    joins = false
  }
  const order = isPlain ? inOrder.slice(0, WORDS_MAX) : []
  return {
    groups: [...groups.values()],
    not,
    ...fields,
    wordless,
    inOrder: order,
    isVerbatim: false,
    typed: typed.trim(),
  }
}

/** Signs that mean something by themselves, unlike the commas and dashes of a sentence. */
function isPicture(text: string): boolean {
  return /\p{Extended_Pictographic}|\p{So}|\p{Sc}/u.test(text)
}

/** A query that asks for nothing: only filters, or nothing at all. */
export function isOpen({ groups, paths, commands, tools }: Query): boolean {
  return groups.length + paths.length + commands.length + tools.length === 0
}

/** A query that is one plain text, without any operators, as the text it asks for; null for any other. */
export function literalOf(typed: string): string | null {
  const query = parseQuery(typed)
  const filters = [query.not, query.paths, query.tools, query.commands]
  const isPlain = filters.every((terms) => terms.length === 0) && query.groups.every((group) => group.length === 1)
  if (!isPlain || query.groups.flat().some((term) => term.isPrefix)) return null
  const text = query.typed.replace(/^"([^"]*)"?$/, '$1').trim()
  return text === '' || text.includes('"') ? null : text
}

function* piecesOf(typed: string): Generator<Piece> {
  // A minus, a field and an opening quote, then up to the closing quote or, without a quote, up to the next space.
  // `--force` and `-n` are flags of a command: nobody means “without n”.
  const pattern = typed.includes('-')
    ? /(-(?=["\p{L}\p{N}])(?![a-z0-9](?:\s|$)))?(?:(\w+):)?(?:"([^"]*)(?:"|$)(\*)?|(\S+))/giu
    : // The same without the minus, because classes of letters take two milliseconds to get ready.
      /(?:()-)?(?:(\w+):)?(?:"([^"]*)(?:"|$)(\*)?|(\S+))/giu
  for (const [whole, minus, name, quoted, star, bare] of typed.matchAll(pattern)) {
    const field = name !== undefined && Object.hasOwn(FIELDS, name.toLowerCase()) ? name.toLowerCase() : null
    const isNot = minus !== undefined
    if (quoted !== undefined) {
      const text = field === null && name !== undefined ? `${name} ${quoted}` : quoted
      yield { text: star === undefined ? text : `${text}*`, isQuoted: true, isNot, field }
    } else if (field === null && name !== undefined) {
      // `error:foo` is no field of ours; it is what it says.
      yield { text: whole.slice(isNot ? 1 : 0), isQuoted: false, isNot, field }
    } else yield { text: bare ?? '', isQuoted: false, isNot, field }
  }
}

function termOf({ text, isQuoted }: Piece): Term | null {
  const isPrefix = text.length > 1 && text.endsWith('*') && !text.endsWith('**')
  const bare = isPrefix ? text.slice(0, -1) : text
  const words = wordsOf(bare).slice(0, WORDS_MAX)
  if (words.length === 0) return null
  // “src/x.ts,” at the end of a sentence means src/x.ts.
  const literal = bare.replace(/^[\s"'`(<[{]+|[\s"'`)>\]}.,;:!?]+$/gu, '')
  const isPlain = words.length === 1 || (isQuoted && words.join(' ').length === literal.length)
  const isWhole = words.length < WORDS_MAX && !(isPlain && words.join(' ') === literal)
  return { words, isPrefix, literal: isWhole ? literal : null, isQuoted }
}

/** In the words of FTS5; words hold letters and digits alone, so nothing can escape from the quotes. */
export function matchText(term: Term): string {
  const text = `"${term.words.join(' ')}"${isOpenEnded(term) ? ' *' : ''}`
  const short = shortHashes(term)
  return short.length === 0 ? text : `(${[text, ...short.map((word) => `"${word}"`)].join(' OR ')})`
}

const HASH = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{7,64}$/i

/** A short hash means the long one that begins with it. */
export function isOpenEnded({ words, isPrefix }: Term): boolean {
  return isPrefix || HASH.test(words.at(-1) ?? '')
}

const HASH_LENGTHS = [7, 8, 9, 10, 11, 12]

/** A whole hash also means the short ones that tools print of it. */
export function shortHashes({ words }: Term): readonly string[] {
  const [word = ''] = words
  return words.length === 1 && word.length >= 40 && HASH.test(word) ? HASH_LENGTHS.map((at) => word.slice(0, at)) : []
}

/** All groups, and none of what must not be there. Null when nothing is asked for. */
export function matchGroups({ groups, not }: Query): string | null {
  if (groups.length === 0) return null
  const all = groups.map((group) => (group.length === 1 ? matchText(group[0] as Term) : `(${anyOf(group)})`))
  const wanted = all.join(' AND ')
  return not.length === 0 ? wanted : `(${wanted}) NOT (${anyOf(not)})`
}

function anyOf(terms: readonly Term[]): string {
  return terms.map(matchText).join(' OR ')
}
