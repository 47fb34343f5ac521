// What `git show` printed of a commit → its facts and the lines it added, by file; and which Versions wrote them.

import { alignLines } from './align.ts'
import { isWhole, linesOf } from './content.ts'
import type { FileHistory, Version } from './model.ts'

export interface Commit {
  readonly hash: string
  readonly author: string
  readonly authoredAt: string
  readonly committedAt: string
  readonly subject: string
  readonly files: readonly CommitFile[]
}

export interface CommitFile {
  /** Relative to the top of the repository. */
  readonly path: string
  readonly added: readonly string[]
}

/** The format that parseCommit reads. */
export const COMMIT_FORMAT = '%H%x00%an%x00%aI%x00%cI%x00%s%x00'

export function parseCommit(printed: string): Commit | null {
  const [hash = '', author = '', authoredAt = '', committedAt = '', subject, ...rest] = printed.split('\0')
  if (subject === undefined) return null
  return { hash: hash.trim(), author, authoredAt, committedAt, subject, files: parsePatch(rest.join('\0')) }
}

function parsePatch(patch: string): readonly CommitFile[] {
  const files: { path: string; added: string[] }[] = []
  let left = 0
  for (const line of patch.split('\n')) {
    if (left > 0 && line.startsWith('+')) {
      files.at(-1)?.added.push(line.slice(1).replace(/\r$/, ''))
      left--
      continue
    }
    if (line.startsWith('+++ ')) {
      const path = nameIn(line.slice(4))
      if (path !== null) files.push({ path, added: [] })
    } else
      left = Number(
        /^@@ -\d+(?:,\d+)? \+\d+(?:,(\d+))? @@/
          .exec(line)
          ?.slice(1)
          .map((size) => size ?? '1')[0] ?? left,
      )
  }
  return files.filter(({ added }) => added.length > 0)
}

/** `b/src/x.ts`, or in quotes with escapes when there is something odd in the name. */
function nameIn(word: string): string | null {
  const name = word.replace(/\t$/, '')
  if (!name.startsWith('"')) return name.startsWith('b/') ? name.slice(2) : null
  const bytes: number[] = []
  const escapes: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, a: 7, b: 8, f: 12, v: 11 }
  for (const [part] of name.slice(1, -1).matchAll(/\\[0-7]{3}|\\.|[^\\]+/gs)) {
    if (/^\\[0-7]{3}$/.test(part)) bytes.push(Number.parseInt(part.slice(1), 8))
    else if (part.startsWith('\\')) bytes.push(escapes[part.slice(1)] ?? part.charCodeAt(1))
    else bytes.push(...new TextEncoder().encode(part))
  }
  const decoded = new TextDecoder().decode(new Uint8Array(bytes))
  return decoded.startsWith('b/') ? decoded.slice(2) : null
}

const WRITING: ReadonlySet<string> = new Set(['created', 'written', 'edited', 'appended'])
/** Clocks differ, and a commit is dated by the second. */
const SLACK_MS = 120_000

/** For each line that a commit added the Version that wrote it last before the commit; null when none did. */
export function writersOf(
  added: readonly string[],
  histories: readonly FileHistory[],
  committedMs: number,
): readonly (Version | null)[] {
  const writers = new Map<string, Version>()
  const versions = histories.flatMap((history) => writtenLines(history))
  const timeOf = ({ place }: Version): number => place.timeMs ?? 0
  for (const { version, lines } of versions.sort((one, other) => timeOf(one.version) - timeOf(other.version))) {
    if (timeOf(version) <= committedMs + SLACK_MS) for (const line of lines) writers.set(line, version)
  }
  return withNeighbours(
    added,
    added.map((line) => (isTelling(line) ? (writers.get(line) ?? null) : null)),
  )
}

/** A bracket or an empty line is nobody's in particular: it belongs to whoever wrote the lines around it. */
function withNeighbours(added: readonly string[], writers: readonly (Version | null)[]): readonly (Version | null)[] {
  const filled = [...writers]
  for (const [at, line] of added.entries()) if (!isTelling(line)) filled[at] = filled[at - 1] ?? null
  for (let at = added.length - 2; at >= 0; at--) if (!isTelling(added[at] ?? '')) filled[at] ??= filled[at + 1] ?? null
  return filled
}

function isTelling(line: string): boolean {
  return line.trim().length >= 4
}

interface WrittenLines {
  readonly version: Version
  readonly lines: readonly string[]
}

/** Of each Version that a call wrote, the lines that were not there before. */
function writtenLines({ versions }: FileHistory): readonly WrittenLines[] {
  let before: readonly string[] = []
  return versions.flatMap((version) => {
    const lines = isWhole(version.content) ? (linesOf(version.content) as readonly string[]) : null
    const known = before
    before = lines ?? []
    if (!WRITING.has(version.cause)) return []
    if (lines === null) return [{ version, lines: version.wrote }]
    const pairs = alignLines(known, lines)
    return [{ version, lines: lines.filter((_, place) => pairs[place] === -1) }]
  })
}
