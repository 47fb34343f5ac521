// A change as its lines: the numbers they had and have, a mark, the text. The mark is a character, so that colour says
// nothing that is not said otherwise.

import type { JSX } from 'react'
import { useState } from 'react'
import type { DiffHunk } from '../../server/api/call.ts'
import { cleanText } from './clean.ts'
import { SCROLLS } from './scrolls.ts'
import './text.css'

const LINES_MAX = 300

export function Diff({ hunks, path }: { readonly hunks: readonly DiffHunk[]; readonly path: string }): JSX.Element {
  const [isWhole, setWhole] = useState(false)
  const lines = numberedLines(hunks)
  const shown = isWhole ? lines : lines.slice(0, LINES_MAX)
  return (
    <section className="diff" aria-label={`Change of ${path}`} {...SCROLLS}>
      <table>
        <tbody>
          {shown.map((line) =>
            line.mark === '@' ? (
              <tr key={line.key} className="diff-gap">
                <td colSpan={4}>⋯</td>
              </tr>
            ) : (
              <tr key={line.key} className={CLASSES[line.mark]}>
                <td className="diff-number">{line.oldNumber}</td>
                <td className="diff-number">{line.newNumber}</td>
                <td className="diff-mark">{MARKS[line.mark]}</td>
                <td className="diff-text">{cleanText(line.text)}</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
      {shown.length < lines.length ? (
        <button type="button" className="more" onClick={() => setWhole(true)}>
          Show all {lines.length.toLocaleString('en')} lines
        </button>
      ) : null}
    </section>
  )
}

const CLASSES = { ' ': 'diff-same', '+': 'diff-added', '-': 'diff-removed' } as const
const MARKS = { ' ': '', '+': '+', '-': '−' } as const

interface NumberedLine {
  readonly key: number
  readonly mark: ' ' | '+' | '-' | '@'
  readonly text: string
  readonly oldNumber: number | null
  readonly newNumber: number | null
}

/** Hunks one below the other, with a gap between two. */
export function numberedLines(hunks: readonly DiffHunk[]): readonly NumberedLine[] {
  const found: NumberedLine[] = []
  for (const hunk of hunks) {
    if (found.length > 0) found.push({ key: found.length, mark: '@', text: '', oldNumber: null, newNumber: null })
    let oldNumber = hunk.oldStart
    let newNumber = hunk.newStart
    for (const { mark, text } of hunk.lines) {
      found.push({
        key: found.length,
        mark,
        text,
        oldNumber: mark === '+' ? null : oldNumber,
        newNumber: mark === '-' ? null : newNumber,
      })
      if (mark !== '+' && oldNumber !== null) oldNumber++
      if (mark !== '-' && newNumber !== null) newNumber++
    }
  }
  return found
}
