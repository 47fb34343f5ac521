// An edit, made again on the text it was made on. The patch that the client kept says whether it came out as it did then;
// what cannot be made again, or comes out otherwise, is null and never a guess.

import { lineCount } from './content.ts'
import type { Hunk, TextEdit } from './model.ts'

export interface Edited {
  readonly text: string
  /** Two ways of making the edit are known, and nothing tells which one was taken. */
  readonly isAmbiguous: boolean
}

export function applyEdits(before: string, edits: readonly TextEdit[], patch: readonly Hunk[]): Edited | null {
  let ways: readonly string[] = [before]
  for (const edit of edits) {
    ways = [...new Set(ways.flatMap((text) => waysToApply(text, edit)))].slice(0, WAYS_MAX)
  }
  if (patch.length > 0) ways = ways.filter((text) => fitsPatch(before, text, patch))
  const text = ways[0]
  return text === undefined ? null : { text, isAmbiguous: ways.length > 1 }
}

const WAYS_MAX = 8

/** Whoever removes whole lines mostly leaves their last line end behind; the client takes it along. */
function waysToApply(text: string, { oldText, newText, isEverywhere }: TextEdit): readonly string[] {
  if (oldText === '') return text === '' ? [newText] : []
  const places = countOf(text, oldText)
  if (places === 0 || (places > 1 && !isEverywhere)) return []
  const plain = text.split(oldText).join(newText)
  if (newText !== '' || oldText.endsWith('\n') || !text.includes(`${oldText}\n`)) return [plain]
  return [text.split(`${oldText}\n`).join(newText), plain]
}

function countOf(text: string, part: string): number {
  let found = 0
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found++
  return found
}

function fitsPatch(before: string, after: string, patch: readonly Hunk[]): boolean {
  const grown = patch.reduce((sum, hunk) => sum + hunk.newLines - hunk.oldLines, 0)
  return lineCount(after) - lineCount(before) === grown && fitsNewSide(after, patch)
}

function fitsNewSide(after: string, patch: readonly Hunk[]): boolean {
  const lines = after.split('\n')
  return patch.every((hunk) => agrees(lines, hunk.newStart, sideOf(hunk, '+')))
}

/** Whether a text is the one that a patch was made on, as far as the patch shows it. */
export function fitsOldSide(before: string, patch: readonly Hunk[]): boolean {
  const lines = before.split('\n')
  return patch.every((hunk) => agrees(lines, hunk.oldStart, sideOf(hunk, '-')))
}

function sideOf({ lines }: Hunk, mark: '+' | '-'): readonly string[] {
  return lines.filter((line) => line.startsWith(' ') || line.startsWith(mark)).map((line) => line.slice(1))
}

function agrees(lines: readonly string[], start: number, side: readonly string[]): boolean {
  return side.every((line, place) => withoutIndent(lines[start - 1 + place] ?? '\0') === withoutIndent(line))
}

/** Leading tabs are spaces in a patch, and how many each became has changed between clients. */
function withoutIndent(line: string): string {
  return line.trimStart().replace(/\r$/, '')
}
