// Files that conversations saw, and what each of them was when: tables for people, JSON Lines for programs.

import type { DiffLine } from './export/line-diff.ts'
import { shortPath } from './list.ts'
import type { Style } from './style.ts'
import { tableLines } from './table.ts'
import { safeName, toJson } from './terminal.ts'
import { age, counted, iso } from './units.ts'

export interface FileRow {
  readonly path: string
  readonly versions: number
  readonly changes: number
  readonly firstMs: number | null
  readonly lastMs: number | null
  readonly cause: string
  readonly certainty: string
  readonly certainVersion: number | null
  readonly gaps: number
  readonly isDeleted: boolean
  readonly laterCommand: string | null
  readonly sessionId: string
  readonly agentId: string | null
  readonly turn: number | null
  readonly ref: string
}

export interface VersionRow {
  readonly path: string
  readonly number: number
  readonly cause: string
  readonly timeMs: number | null
  readonly sessionId: string
  readonly agentId: string | null
  readonly turn: number | null
  readonly branch: number | null
  readonly ref: string
  readonly tool: string
  readonly certainty: string
  readonly doubt: string | null
  readonly lines: number | null
  readonly gaps: number
  readonly added: number | null
  readonly removed: number | null
  readonly from: string | null
  readonly sha256: string | null
  readonly diff: readonly DiffLine[] | null
}

export interface FilesLayout {
  readonly columns: number
  readonly nowMs: number
  readonly home: string
  readonly style: Style
}

export function fileJson({ firstMs, lastMs, isDeleted, ...row }: FileRow): string {
  return toJson({ ...row, deleted: isDeleted, firstAt: iso(firstMs), lastAt: iso(lastMs) })
}

export function versionJson({ number, timeMs, diff: _, ...row }: VersionRow): string {
  return toJson({ ...row, version: number, at: iso(timeMs) })
}

export function filesTable(rows: readonly FileRow[], { columns, nowMs, home, style }: FilesLayout): string {
  const cells = rows.map((row) => [
    row.lastMs === null ? '' : age(row.lastMs, nowMs),
    String(row.versions),
    row.isDeleted ? 'deleted' : row.cause,
    certaintyWords(row.certainty, row.gaps) + (row.laterCommand === null ? '' : ' ?'),
    shortPath(safeName(row.path), home),
  ])
  const heads = ['AGE', 'VERSIONS', 'LAST', 'KNOWN', 'FILE']
  return tableLines(heads, cells, { columns, style, numeric: [0, 1], paths: [4], spare: [1, 0] }).join('\n')
}

export function certaintyWords(certainty: string, gaps: number): string {
  switch (certainty) {
    case 'exact':
      return 'every byte'
    case 'text':
      return 'every line'
    case 'doubtful':
      return 'in doubt'
    case 'partial':
      return gaps === 0 ? 'in part' : counted(gaps, 'gap')
    case 'absent':
      return 'no file'
    default:
      return 'nothing'
  }
}

const CONTEXT = 3

export function timelineText(rows: readonly VersionRow[], { style, home }: FilesLayout): string {
  return rows.map((row) => [headOf(row, style, home), ...diffText(row, style)].join('\n')).join('\n\n')
}

function headOf(row: VersionRow, style: Style, home: string): string {
  const when = iso(row.timeMs)?.replace('T', ' ').slice(0, 19) ?? 'some time'
  const turn = row.turn === null ? '' : `turn ${row.turn}, `
  const change = row.added === null ? '' : `  +${row.added} −${row.removed}`
  const from =
    row.from === null ? '' : `, ${row.cause === 'deleted' ? 'with' : 'from'} ${shortPath(safeName(row.from), home)}`
  const doubt = row.doubt === null ? '' : `: ${row.doubt}`
  const known = `${certaintyWords(row.certainty, row.gaps)}${doubt}`
  return `${style.bold(`v${row.number}  ${row.cause}${from}`)}${change}  ${style.dim(`${when}  ${turn}${safeName(row.ref)}  ${known}`)}`
}

function diffText({ diff }: VersionRow, style: Style): readonly string[] {
  if (diff === null) return []
  const isNear = (place: number): boolean =>
    diff.slice(Math.max(0, place - CONTEXT), place + CONTEXT + 1).some(({ mark }) => mark !== ' ')
  const lines: string[] = []
  for (const [place, { mark, text }] of diff.entries()) {
    if (isNear(place)) {
      const line = `  ${mark} ${text}`
      lines.push(mark === '+' ? style.good(line) : mark === '-' ? style.bad(line) : line)
    } else if (lines.at(-1) !== '  …' && lines.length > 0) lines.push('  …')
  }
  return lines
}
