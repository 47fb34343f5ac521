// Which Version put each line of a file there. Lines are carried from Version to Version; what somebody else did in
// between is carried too, so that a line that comes back is still known by who wrote it.

import { alignLines } from './align.ts'
import { isWhole, linesOf } from './content.ts'
import type { Version } from './model.ts'

export interface BlamedLine {
  readonly text: string
  /** Null: no conversation wrote it. It was there before, or came from elsewhere. */
  readonly version: Version | null
  /** Found by its words alone: in between, the file was changed by somebody else. */
  readonly isByWords: boolean
}

const WRITING: ReadonlySet<string> = new Set(['created', 'written', 'edited', 'appended'])

export function blameLines(versions: readonly Version[], now: readonly string[]): readonly BlamedLine[] {
  const authors = new Map<string, Version>()
  let lines: readonly string[] = []
  let blamed: readonly BlamedLine[] = []
  for (const version of versions) {
    const isWritten = WRITING.has(version.cause)
    const next = isWhole(version.content) ? (linesOf(version.content) as readonly string[]) : null
    if (next !== null) {
      blamed = carry(lines, blamed, next, isWritten ? version : null, authors)
      lines = next
      if (isWritten) for (const line of blamed) if (line.version === version) remember(authors, line.text, version)
    }
    if (isWritten && next === null) for (const text of version.wrote) remember(authors, text, version)
  }
  return carry(lines, blamed, now, null, authors)
}

/** A bracket or an empty line is nobody's in particular. */
const WORDS_LENGTH_MIN = 4

function remember(authors: Map<string, Version>, text: string, version: Version): void {
  if (text.trim().length >= WORDS_LENGTH_MIN) authors.set(text.trim(), version)
}

function carry(
  before: readonly string[],
  blamed: readonly BlamedLine[],
  after: readonly string[],
  version: Version | null,
  authors: ReadonlyMap<string, Version>,
): readonly BlamedLine[] {
  const pairs = alignLines(before, after)
  return after.map((text, place) => {
    const kept = blamed[pairs[place] ?? -1]
    if (kept !== undefined) return kept
    if (version !== null) return { text, version, isByWords: false }
    const author = authors.get(text.trim()) ?? null
    return { text, version: author, isByWords: author !== null }
  })
}
