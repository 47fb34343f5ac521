// Lines of a file and the Turns that wrote them; commits and the Turns they came from.

import type { Style } from './style.ts'
import { safe, safeLine, safeName, toJson } from './terminal.ts'
import { counted, iso } from './units.ts'
import { cutTo, pad, padStart } from './width.ts'

export interface BlameRow {
  readonly line: number
  readonly text: string
  readonly sessionId: string | null
  readonly agentId: string | null
  readonly turn: number | null
  readonly ref: string | null
  readonly timeMs: number | null
  readonly cause: string | null
  readonly isByWords: boolean
  readonly title: string | null
  readonly prompt: string | null
  readonly cwd: string | null
  /** What goes on with the conversation; null where nothing does. */
  readonly command: string | null
}

export function blameJson({ timeMs, isByWords, ...row }: BlameRow): string {
  return toJson({ ...row, at: iso(timeMs), byWords: isByWords })
}

const REF_WIDTH = 20

export function blameText(rows: readonly BlameRow[], columns: number, style: Style): string {
  const digits = String(rows.length).length
  return rows
    .map((row) => {
      const who = row.ref === null ? 'before or elsewhere' : safeName(row.ref)
      const turn = row.turn === null ? '' : `turn ${row.turn}`
      const day = iso(row.timeMs)?.slice(0, 10) ?? ''
      const left = `${pad(cutTo(who, REF_WIDTH), REF_WIDTH)} ${pad(turn, 9)} ${pad(day, 10)} ${padStart(String(row.line), digits)}`
      return `${style.dim(left)} ${row.isByWords ? '~' : ' '} ${cutTo(safe(row.text).replaceAll('\t', '  '), Math.max(20, columns - left.length - 3))}`
    })
    .join('\n')
}

export function blamedLineText(row: BlameRow, path: string, style: Style): string {
  const head = `${safeName(path)}:${row.line}  ${safe(row.text).trim()}`
  if (row.ref === null)
    return `${head}\n\nNo conversation wrote this line: it was there before, or came from elsewhere.`
  const found = row.isByWords ? ' (found by its words; somebody else changed the file in between)' : ''
  return [
    head,
    '',
    `${style.bold(safeLine(row.title ?? '') || '(no title)')}, turn ${row.turn ?? '?'}, ${iso(row.timeMs) ?? 'some time'}, ${row.cause}${found}`,
    ...(row.prompt === null ? [] : ['', style.prompt(promptLines(row.prompt)), '']),
    `clew show ${safeName(row.ref)}`,
    ...(row.command === null ? [] : [row.command]),
  ].join('\n')
}

function promptLines(prompt: string): string {
  const lines = safe(prompt).trim().split('\n')
  return lines.length > 12 ? [...lines.slice(0, 12), '…'].join('\n') : lines.join('\n')
}

export interface WhyTurn {
  readonly sessionId: string
  readonly agentId: string | null
  readonly turn: number | null
  readonly ref: string
  readonly timeMs: number | null
  readonly title: string | null
  readonly prompt: string | null
  readonly cwd: string | null
  readonly command: string | null
  readonly lines: number
  readonly files: readonly string[]
}

export interface WhyCommit {
  readonly commit: string
  readonly author: string
  readonly authoredAt: string
  readonly subject: string
  readonly lines: number
  readonly attributed: number
  readonly files: readonly { readonly path: string; readonly lines: number; readonly attributed: number }[]
  readonly turns: readonly WhyTurn[]
}

export function whyJson({ turns, ...commit }: WhyCommit): string {
  const told = turns.map(({ timeMs, ...turn }) => ({ ...turn, at: iso(timeMs) }))
  return toJson({ ...commit, turns: told })
}

export function whyText(commit: WhyCommit, columns: number, style: Style): string {
  const share = commit.lines === 0 ? '' : ` (${Math.round((100 * commit.attributed) / commit.lines)} %)`
  const head = `${commit.commit.slice(0, 12)}  ${safeLine(commit.subject)}`
  const sum = `${commit.attributed} of ${counted(commit.lines, 'added line')}${share} were written in ${counted(commit.turns.length, 'turn')}`
  const turns = commit.turns.map((turn) =>
    [
      `${style.bold(safeLine(turn.title ?? '') || '(no title)')}, turn ${turn.turn ?? '?'}, ${iso(turn.timeMs) ?? 'some time'}  ${style.dim(counted(turn.lines, 'line'))}`,
      ...(turn.prompt === null ? [] : [`  ${style.prompt(cutTo(safeLine(turn.prompt), Math.max(20, columns - 2)))}`]),
      `  ${safeLine(turn.files.join(', '))}`,
      `  clew show ${safeName(turn.ref)}`,
    ].join('\n'),
  )
  return [style.bold(head), sum, '', turns.join('\n\n')].join('\n').trimEnd()
}
