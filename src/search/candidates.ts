// Docs that match, the newest first and never more than a bounded number: a common word has a hundred thousand hits, and
// nobody wants to wait for all of them. What people said is asked apart from what tools printed, so that neither hides
// the other.

import type { Database } from './database.ts'
import type { Table } from './ids-matching.ts'
import { idsMatching, setScope } from './ids-matching.ts'
import type { SearchField } from './model.ts'
import { withFrequentWords, withoutBeginnings } from './prefixes.ts'
import type { Query, Term } from './query.ts'
import { matchGroups, matchText } from './query.ts'
import { statement } from './statements.ts'

export interface Candidate {
  readonly id: number
  readonly file: number
  readonly record: number
  readonly kind: number
  readonly copyKey: number
  readonly ms: number | null
  readonly offset: number
  readonly length: number
  /** From 0 to 1, compared with the best of its table, and 1 more where the words stand together as they were typed. */
  fit: number
  table: Table
}

export interface CandidateRange {
  /** Null for all files. */
  readonly scope: readonly number[] | null
  readonly fields: ReadonlySet<SearchField>
  readonly sinceMs: number | null
  readonly untilMs: number | null
  readonly tool: string | null
  /** How many hits are wanted in the end. */
  readonly limit: number
}

export interface Candidates {
  readonly found: readonly Candidate[]
  readonly isBounded: boolean
}

/** Up to this many are weighed against each other; of more, the newest count. */
const WEIGHED_MAX = 400
/** As many of those that fit best are taken. Whoever wants more hits gets more. */
const TAKEN = { said: 200, done: 120 } as const
const TAKEN_PER_HIT = 4
/** Of too many, as many of so many of the newest: no more of a neighbourhood than a Turn needs, so that one long session
 * does not stand before all others. */
const NEWEST_MAX = 1200
const NEWEST_TAKEN = 100
const NEIGHBOURHOOD = 64
const NEIGHBOURS_TAKEN = 3
/** Where tools have printed all of it more often, nobody asks how often side by side: that takes as long again. */
const TOGETHER_MAX = TAKEN.done
/** Where there are too many to tell which fits best. */
const FIT_UNKNOWN = 0.5

const SAID_COLUMNS = { prompts: 'prompt', replies: 'reply', thinking: 'thinking' } as const
const DONE_COLUMNS = { tools: 'output', files: 'files', commands: 'commands' } as const

/** prompt, reply, thinking · tools, files, commands, output: what a person said weighs most. */
const WEIGHTS = { said: '6.0, 3.0, 1.5', done: '0.5, 3.0, 3.0, 1.0' } as const

export interface Asking {
  /** For a query with many alternatives to each word: how well each hit fits would take longest to tell. */
  readonly isRough?: boolean
  readonly tables?: readonly Table[]
}

export function findCandidates(
  database: Database,
  query: Query,
  range: CandidateRange,
  { isRough = false, tables = ['said', 'done'] }: Asking = {},
): Candidates {
  setScope(database, range.scope)
  const together = isRough ? null : togetherOf(query)
  const common = withFrequentWords(database, query)
  const rest = common === null ? null : withoutBeginnings(query, common)
  // Where a few docs have the other words, and all of them a common word for each beginning, no others are to be gathered.
  const isAllOf = (asked: Query | null, count: number, table: Table): boolean => {
    const match = asked === null ? null : matchesOf(asked, range)[table]
    return match !== null && idsMatching(database, table, match, range, count + 1).length === count
  }
  const found: Candidate[] = []
  let isAnyBounded = false
  for (const table of tables) {
    const exact = matchesOf(query, range)[table]
    if (exact === null) continue
    // How common the beginning of very many words is need not be counted.
    const weighed = (asked: string): Weighed => weigh(database, table, asked, isRough ? null : (common ?? query), range)
    const wide = common === null ? null : matchesOf(common, range)[table]
    const newest = wide === null ? null : weighed(wide)
    const isWide = newest !== null && (newest.isBounded || isAllOf(rest, newest.count, table))
    const match = isWide && wide !== null ? wide : exact
    const { fits, isBounded } = isWide ? newest : weighed(exact)
    isAnyBounded ||= isBounded
    // Among very many, what a person said is asked for on its own, and so is what somebody said as it was typed.
    if (isBounded && table === 'said' && wants(range.fields, 'prompts')) {
      const prompts = idsMatching(database, table, `{prompt} : (${match})`, range, NEWEST_MAX)
      for (const id of spreadOut(prompts)) fits.set(id, FIT_UNKNOWN)
    }
    if (together !== null && fits.size > 0 && (table === 'said' || (!isBounded && fits.size < TOGETHER_MAX))) {
      const side = idsMatching(database, table, matchesOf(together, range)[table] ?? match, range, WEIGHED_MAX)
      for (const id of isBounded ? spreadOut(side) : side) fits.set(id, (fits.get(id) ?? FIT_UNKNOWN) + 1)
    }
    for (const doc of candidatesById(database, [...fits.keys()])) {
      doc.table = table
      doc.fit = fits.get(doc.id) ?? 0
      found.push(doc)
    }
  }
  return { found, isBounded: isAnyBounded }
}

/** The same words, side by side in the order in which they were typed. */
function togetherOf(query: Query): Query | null {
  const { inOrder, groups, not } = query
  if (groups.length < 2 || inOrder.length < 2 || not.length > 0) return null
  return { ...query, groups: [[{ words: inOrder, isPrefix: false, literal: null, isQuoted: true }]] }
}

export interface Matches {
  readonly said: string | null
  readonly done: string | null
}

/** What is asked of the two tables; null where nothing of a table can be meant. */
export function matchesOf(query: Query, { fields, tool }: CandidateRange): Matches {
  // To name all columns there are costs a third more than to name none.
  const saidColumns = fields.size === 0 ? '' : columnsOf(SAID_COLUMNS, fields)
  const doneColumns = columnsOf(DONE_COLUMNS, fields)
  const words = matchGroups(query)
  // Filters on tools, files and commands are about calls: nothing that was only said fits them.
  const isAboutCalls = tool !== null || query.paths.length + query.tools.length + query.commands.length > 0
  const said = saidColumns === null || words === null || isAboutCalls ? null : `${saidColumns}(${words})`
  if (doneColumns === null) return { said, done: null }
  const parts = words === null ? [] : [`(${doneColumns}(${words}))`]
  for (const term of query.paths) parts.push(`(files : ${matchText(term)})`)
  for (const term of query.commands) parts.push(`(commands : ${matchText(term)})`)
  for (const term of query.tools) parts.push(`(tools : ${matchText(term)})`)
  if (tool !== null) parts.push(`(tools : "${(tool.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')}")`)
  return { said, done: parts.length === 0 ? null : parts.join(' AND ') }
}

function wants(fields: ReadonlySet<SearchField>, field: SearchField): boolean {
  return fields.size === 0 || fields.has(field)
}

function columnsOf(
  columns: Readonly<Partial<Record<SearchField, string>>>,
  fields: ReadonlySet<SearchField>,
): string | null {
  const wanted = Object.entries(columns).filter(([field]) => wants(fields, field as SearchField))
  return wanted.length === 0 ? null : `{${wanted.map(([, column]) => column).join(' ')}} : `
}

interface Weighed {
  readonly fits: Map<number, number>
  /** How many there are, or more than are weighed. */
  readonly count: number
  readonly isBounded: boolean
}

/** First only their numbers, which is much cheaper than the docs themselves. */
function weigh(database: Database, table: Table, match: string, query: Query | null, range: CandidateRange): Weighed {
  const taken = Math.max(TAKEN[table], range.limit * TAKEN_PER_HIT)
  const weighedMax = Math.max(WEIGHED_MAX, taken)
  const ids = idsMatching(database, table, match, range, Math.max(NEWEST_MAX, weighedMax + 1))
  const isBounded = ids.length > weighedMax
  const count = ids.length
  if (isBounded) return { fits: unknown(taken < NEWEST_MAX ? spreadOut(ids) : ids.slice(0, taken)), count, isBounded }
  const fits = ids.length < 2 || query === null ? null : fitsOf(database, table, query, range)
  const best = fits === null ? 0 : ids.reduce((most, id) => Math.max(most, fits.get(id) ?? 0), 0)
  const fitOf = (id: number): number => (best === 0 ? FIT_UNKNOWN : (fits?.get(id) ?? 0) / best)
  const all = ids.map((id) => [id, fitOf(id)] as const)
  if (all.length > taken) all.sort(([, one], [, other]) => other - one)
  return { fits: new Map(all.slice(0, taken)), count, isBounded }
}

function unknown(ids: readonly number[]): Map<number, number> {
  return new Map(ids.map((id) => [id, FIT_UNKNOWN]))
}

function spreadOut(ids: readonly number[]): readonly number[] {
  const counts = new Map<number, number>()
  const kept = ids.filter((id) => {
    const neighbourhood = Math.floor(id / NEIGHBOURHOOD)
    const count = counts.get(neighbourhood) ?? 0
    counts.set(neighbourhood, count + 1)
    return count < NEIGHBOURS_TAKEN
  })
  return kept.slice(0, NEWEST_TAKEN)
}

const WALKED_MAX = 3000

/**
 * To rank a hit FTS5 walks over all docs of each word that was asked for, so only the rarer words are: they decide anyway.
 * Null when all are common, or when there is but a filter.
 */
function fitsOf(
  database: Database,
  table: Table,
  query: Query,
  range: CandidateRange,
): ReadonlyMap<number, number> | null {
  const nothing = { not: [], paths: [], tools: [], commands: [] }
  const matchOf = (groups: Query['groups']): string | null =>
    groups.length === 0 ? null : matchesOf({ ...query, ...nothing, groups }, { ...range, tool: null })[table]
  const count = statement(
    database,
    `SELECT count(*) AS n FROM (SELECT 1 FROM ${table} WHERE ${table} MATCH ? LIMIT ${WALKED_MAX})`,
  )
  const isRareTerm = (term: Term, most = WALKED_MAX): boolean => (count.get(matchOf([[term]])) as Count).n < most
  // A phrase is found by walking over its words. The last one is the name of a file, or at least no article.
  const hasRareWord = (term: Term): boolean =>
    term.words.length === 1
      ? isRareTerm(term)
      : term.words.findLast((word) =>
          isRareTerm({ ...term, words: [word], isPrefix: false }, WALKED_MAX / term.words.length),
        ) !== undefined
  const isRare = (group: readonly Term[]): boolean =>
    group.every(hasRareWord) && (group.length === 1 || (count.get(matchOf([group])) as Count).n < WALKED_MAX)
  const match = matchOf(query.groups.filter(isRare))
  if (match === null) return null
  // As one text: a row apiece would take longer to hand over than to find. The limit keeps the two selects apart.
  const pairs = `SELECT rowid || ' ' || -bm25(${table}, ${WEIGHTS[table]}) AS pair FROM ${table} WHERE ${table} MATCH ?`
  const sql = `SELECT group_concat(pair) AS fits FROM (${pairs} ORDER BY rowid DESC LIMIT ${WALKED_MAX})`
  const { fits } = statement(database, sql).get(match) as { readonly fits: string | null }
  return new Map((fits ?? '').split(',').map((pair) => pair.split(' ').map(Number) as [number, number]))
}

interface Count {
  readonly n: number
}

/** As one text, for the same reason. */
export function candidatesById(database: Database, ids: readonly number[]): readonly Candidate[] {
  return candidatesBy(database, 'doc WHERE id IN (SELECT value FROM json_each(?))', ids)
}

/** Of records, by their files and numbers; each once. */
export function candidatesByPlace(
  database: Database,
  places: readonly (readonly [file: number, record: number])[],
): readonly Candidate[] {
  const wanted = `(SELECT DISTINCT value ->> 0 AS file, value ->> 1 AS record FROM json_each(?)) AS place
    CROSS JOIN doc ON doc.file = place.file AND doc.record = place.record`
  return candidatesBy(database, wanted, places).map((doc) => Object.assign(doc, { fit: FIT_UNKNOWN, table: 'done' }))
}

function candidatesBy(database: Database, wanted: string, values: readonly unknown[]): readonly Candidate[] {
  const sql = `SELECT json_group_array(json_object('id', id, 'file', doc.file, 'record', doc.record, 'kind', kind,
    'copyKey', copy_key, 'ms', ms, 'offset', offset, 'length', length, 'fit', 0, 'table', 'said')) AS docs FROM ${wanted}`
  const { docs } = statement(database, sql).get(JSON.stringify(values)) as { readonly docs: string }
  return JSON.parse(docs) as readonly Candidate[]
}
