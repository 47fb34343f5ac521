// Hits of a search: for people the place, what was said there and where; JSON Lines for programs.

import { shortPath } from './list.ts'
import type { Style } from './style.ts'
import { safeLine, safeName, toJson } from './terminal.ts'
import { age, counted, iso } from './units.ts'
import { cutStartTo, cutTo, widthOf } from './width.ts'

export interface SearchRow {
  readonly ref: string
  readonly sessionId: string
  readonly agentId: string | null
  readonly kind: string
  readonly field: string
  readonly title: string
  readonly project: string
  readonly gitBranch: string | null
  readonly branch: number | null
  readonly turn: number | null
  readonly timestampMs: number | null
  readonly snippet: SearchSnippet | null
  readonly isGone: boolean
  /** Its own file was deleted; it was found in the archive's copy. */
  readonly isCopy: boolean
  readonly more: number
  /** It comes close to what was asked for. */
  readonly isLoose?: boolean
}

export interface SearchSnippet {
  readonly text: string
  readonly marks: readonly (readonly [number, number])[]
}

export interface SearchLayout {
  readonly columns: number
  readonly nowMs: number
  readonly home: string
  readonly style: Style
}

export function searchJson(row: SearchRow): string {
  const { timestampMs, isGone, isCopy, isLoose = false, ...facts } = row
  return toJson({ ...facts, timestamp: iso(timestampMs), loose: isLoose, gone: isGone, copy: isCopy })
}

export function searchText(rows: readonly SearchRow[], layout: SearchLayout): string {
  return rows.map((row) => rowText(row, layout)).join('\n\n')
}

function rowText(row: SearchRow, layout: SearchLayout): string {
  const { style, columns } = layout
  const ref = safeName(row.ref)
  const told = factsOf(row, layout)
  const title = cutTo(safeLine(row.title) || '(no title)', Math.max(16, columns - widthOf(ref) - 2))
  const lines = [`${style.prompt(ref)}  ${style.bold(title)}`, `  ${style.dim(told)}`]
  if (row.snippet !== null) lines.push(`  ${speaker(row)}${snippetText(row, layout)}`)
  if (row.more > 0) lines.push(style.dim(`  ${counted(row.more, 'more turn', 'more turns')} in this conversation`))
  return lines.join('\n')
}

/** When and which turn are short and always there; where is cut to what is left, a path at its beginning. */
function factsOf(row: SearchRow, { columns, nowMs, home }: SearchLayout): string {
  const rest = [
    row.timestampMs === null ? '' : age(row.timestampMs, nowMs),
    placeOf(row),
    row.isGone ? 'deleted since' : '',
    row.isCopy ? 'archive copy' : '',
  ]
  const room = Math.max(20, columns - 2)
  const left = room - rest.reduce((sum, fact) => sum + (fact === '' ? 0 : widthOf(fact) + SEPARATOR.length), 0)
  const project = shortPath(safeLine(row.project), home)
  const gitBranch = safeLine(row.gitBranch ?? '')
  // The path has half of it, if it is as long as that.
  const branch = cutTo(gitBranch, Math.max(Math.floor(left / 2), left - widthOf(project)) - SEPARATOR.length)
  const path = cutStartTo(project, left - (branch === '' ? 0 : widthOf(branch) + SEPARATOR.length))
  return cutTo([path, branch, ...rest].filter((fact) => fact !== '').join(SEPARATOR), room)
}

const SEPARATOR = ' · '

function placeOf({ agentId, branch, turn }: SearchRow): string {
  if (agentId !== null) return `subagent ${safeName(agentId)}`
  if (turn !== null && turn > 0) return `turn ${turn}`
  return branch !== null && branch > 0 ? `branch ${branch}` : ''
}

const SPEAKERS: ReadonlyMap<string, string> = new Map([
  ['prompts', '❯ '],
  ['thinking', '(thinking) '],
  ['files', '(file) '],
  ['commands', '$ '],
  ['tools', '│ '],
])

function speaker({ field }: SearchRow): string {
  return SPEAKERS.get(field) ?? ''
}

/** On one line, cut to the screen round the first match, with the matches set off. */
function snippetText(row: SearchRow, { columns, style }: SearchLayout): string {
  const { text, marks } = row.snippet as SearchSnippet
  const room = Math.max(20, columns - 2 - widthOf(speaker(row)))
  const pieces: { readonly text: string; readonly isMark: boolean }[] = []
  let at = 0
  for (const [start, end] of marks) {
    pieces.push({ text: text.slice(at, start), isMark: false }, { text: text.slice(start, end), isMark: true })
    at = end
  }
  pieces.push({ text: text.slice(at), isMark: false })
  let left = room
  let line = ''
  for (const piece of pieces) {
    const clean = spaced(piece.text)
    const cut = cutTo(clean, left)
    line += piece.isMark ? style.note(cut) : cut
    left -= widthOf(cut)
    if (left <= 0 || cut !== clean) break
  }
  return line.trimEnd()
}

/** As safeLine, but the spaces at both ends stay: the pieces are set side by side. */
function spaced(text: string): string {
  const inner = safeLine(text)
  const before = /^\s/.test(text) ? ' ' : ''
  return inner === '' ? before : `${before}${inner}${/\s$/.test(text) ? ' ' : ''}`
}
