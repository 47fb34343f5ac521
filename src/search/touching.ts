// Turns in which a file was touched: for `--file`.

import type { Candidate } from './candidates.ts'
import { candidatesByPlace } from './candidates.ts'
import type { Conversations } from './conversations.ts'
import type { Database } from './database.ts'
import { kept, statement } from './statements.ts'
import type { TurnHit } from './turn-hits.ts'

export interface Touched {
  /** The files of the index that are left of some: those in which it was touched at all. */
  readonly within: (scope: readonly number[] | null) => readonly number[]
  readonly isTouched: (turn: TurnHit) => boolean
  /** Every record that touches it. */
  readonly docs: () => readonly Candidate[]
}

export function touchedFiles(database: Database, path: string, conversations: Conversations): Touched {
  const wanted = compared(path).replace(/^\.\//, '')
  const places: Place[] = []
  for (const { file, record, files } of callsNaming(database, JSON.stringify(wanted).slice(1, -1))) {
    const paths = (JSON.parse(files) as readonly { readonly path: string }[]).map((one) => one.path)
    if (paths.some((one) => isPartOf(wanted, one))) places.push([file, record])
  }
  const inFiles = new Set(places.map(([file]) => file))
  let turns: ReadonlySet<string> | null = null
  return {
    within: (scope) => (scope === null ? [...inFiles] : scope.filter((file) => inFiles.has(file))),
    isTouched: ({ docs }) => {
      turns ??= new Set(places.map(([file, record]) => turnKey(file, conversations, record)))
      return docs.some(({ file, record }) => turns?.has(turnKey(file, conversations, record)))
    },
    docs: () => candidatesByPlace(database, places),
  }
}

type Place = readonly [file: number, record: number]

interface Call {
  readonly file: number
  readonly record: number
  /** As JSON. */
  readonly files: string
}

function* callsNaming(database: Database, part: string): Generator<Call> {
  if (part === '') return
  const calls = kept(database, allCalls, () => allCalls(database))
  for (let at = calls.indexOf(part); at >= 0; ) {
    const start = calls.lastIndexOf('\n', at) + 1
    const end = calls.indexOf('\n', at)
    const [file = '', record = ''] = calls.slice(start, start + 40).split(' ', 2)
    const filesStart = start + file.length + record.length + 2
    // Else it was found in the numbers before them.
    if (at >= filesStart) yield { file: Number(file), record: Number(record), files: calls.slice(filesStart, end) }
    at = calls.indexOf(part, at < filesStart ? filesStart : end)
  }
}

/** As one text, a line for each: it takes no longer than to look through them once, and JSON has no line ends in it. */
function allCalls(database: Database): string {
  const sql = `SELECT group_concat(file || ' ' || record || ' ' || files || char(10), '') AS calls FROM tool_call
    WHERE files IS NOT NULL`
  const { calls } = statement(database, sql).get() as { readonly calls: string | null }
  return comparedJson(calls ?? '')
}

/**
 * Paths as they are compared. On Windows and on most Macs large and small letters are the same; a Mac may take letters
 * apart; and what wrote a path on Windows says nothing of who asks for it.
 */
function compared(path: string): string {
  return path.normalize('NFC').toLowerCase().replaceAll('\\', '/')
}

/** The same of paths in JSON, in which a backslash is two. */
function comparedJson(text: string): string {
  return (MARKED_ESCAPE.test(text) ? setApart(text) : text).normalize('NFC').toLowerCase().replaceAll('\\\\', '/')
}

const MARKED_ESCAPE = /\\(?:u[\da-f]{4}|[^u])\p{M}/u

/** A mark behind a line end in a path would be put together with the last letter of its escape. */
function setApart(text: string): string {
  return text.replace(/\\(?:\\|(u[\da-f]{4}|.)(\p{M})?)/gu, (whole: string, letter?: string, mark?: string) =>
    mark === undefined ? whole : `\\${letter} ${mark}`,
  )
}

function turnKey(file: number, conversations: Conversations, record: number): string {
  const { branch, turn } = conversations.place(file, record)
  return `${file}/${branch}.${turn}`
}

/** `x.ts` and `src/x.ts` name /home/ada/src/x.ts, `c/x.ts` does not; a folder names what is below it. */
function isPartOf(asked: string, path: string): boolean {
  const wanted = asked.replace(/^\.?\//, '').replace(/\/$/, '')
  return path === asked || `/${path}/`.includes(`/${wanted}/`)
}
