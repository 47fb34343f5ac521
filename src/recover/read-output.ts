// What a Read showed. The client keeps the text beside its output; where it did not (subagents in print mode), the output
// itself is taken apart: `     1→text` or `1<tab>text`, then perhaps a reminder. What was cut is a gap.

import { list, number, object, text } from '../record/fields.ts'
import type { Body } from '../record/model.ts'
import type { SeenLines } from './model.ts'

/** The client shows no more of a line, and no more lines unless it is asked for them. */
const LINE_LENGTH_MAX = 2000
const LINES_MAX = 2000

export function seenByRead(input: Body, kept: unknown, output: string): SeenLines | null {
  const result = object(kept)
  if (result === null) return seenInOutput(input, output)
  const file = object(result['file'])
  return text(result['type']) === 'text' && file !== null ? seenInFile(file) : null
}

/** The same form has a file that was mentioned, or read again after a compaction. */
export function seenInFile(file: Body): SeenLines | null {
  const content = text(file['content'])
  const start = number(file['startLine'])
  const total = number(file['totalLines'])
  if (content === null || start === null || total === null) return null
  const lines = content.split('\n')
  // What does not add up was shortened by somebody.
  if (number(file['numLines']) !== lines.length || start < 1 || start - 1 + lines.length > total) return null
  return { start, lines: lines.map(uncut), total }
}

function uncut(line: string): string | null {
  return line.length >= LINE_LENGTH_MAX ? null : line
}

const NUMBERED = /^ *(\d+)(?:→|\t)(.*)$/s

function seenInOutput(input: Body, output: string): SeenLines | null {
  const all = output.split('\n')
  const start = Number(NUMBERED.exec(all[0] ?? '')?.[1] ?? Number.NaN)
  if (Number.isNaN(start) || start < 1) return null
  const lines: string[] = []
  for (const line of all) {
    const found = NUMBERED.exec(line)
    if (found === null || Number(found[1]) !== start + lines.length) break
    lines.push(found[2] as string)
  }
  const rest = all.slice(lines.length).join('\n').trim()
  const isAsked = number(input['offset']) !== null || number(input['limit']) !== null
  const isEnd = !isAsked && start === 1 && lines.length < LINES_MAX && /^(?:<system-reminder>.*)?$/s.test(rest)
  return { start, lines: lines.map(uncut), total: isEnd && !/truncated|PARTIAL/.test(rest) ? lines.length : null }
}

/** The text of a tool result, whatever form it has. */
export function outputText(content: unknown): string {
  if (typeof content === 'string') return content
  return (list(content) ?? []).map((block) => text(object(block)?.['text']) ?? '').join('\n')
}
