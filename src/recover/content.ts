// What is known of a file's content, as text, lines and certainty.

import { decodeUtf8, isValidUtf8 } from '../base/text.ts'
import type { Certainty, Content, SeenLines } from './model.ts'

const BOM = '\ufeff'

export function certaintyOf(content: Content): Certainty {
  switch (content.kind) {
    case 'text':
      if (content.doubt !== null) return 'doubtful'
      return content.lineEnds === 'seen' ? 'exact' : 'text'
    case 'bytes':
      return 'exact'
    case 'parts':
      return gapsIn(content.lines) === 0 && !content.isOpen ? 'doubtful' : 'partial'
    default:
      return content.kind
  }
}

/** All of its lines are known. */
export function isWhole(content: Content): boolean {
  const certainty = certaintyOf(content)
  return certainty === 'exact' || certainty === 'text' || certainty === 'doubtful'
}

export function contentOfBytes(bytes: Uint8Array): Content {
  if (!isValidUtf8(bytes)) return { kind: 'bytes', bytes }
  return { kind: 'text', text: decodeUtf8(bytes), lineEnds: 'seen', doubt: null }
}

/** What was seen of a file at one moment. */
export function contentOfSeen({ start, lines, total }: SeenLines): Content {
  const all: (string | null)[] = [...new Array<null>(start - 1).fill(null), ...lines]
  while (total !== null && all.length < total) all.push(null)
  if (total !== null && !all.includes(null)) {
    return { kind: 'text', text: all.join('\n'), lineEnds: 'assumed', doubt: null }
  }
  return { kind: 'parts', lines: all, isOpen: total === null, moments: 1 }
}

/** The text with the line ends that the client shows, and without a byte order mark. */
export function shownText(text: string): string {
  const plain = text.startsWith(BOM) ? text.slice(1) : text
  return plain.includes('\r') ? plain.replaceAll('\r\n', '\n') : plain
}

/** A text as the client shows it, written with the line ends and the byte order mark of another. */
export function inStyleOf(shown: string, model: string): string {
  const mark = model.startsWith(BOM) ? BOM : ''
  return mark + (hasUniformReturns(model) ? shown.replaceAll('\n', '\r\n') : shown)
}

/** A file with both kinds of line ends is written with one of them: nobody says which. */
export function hasMixedLineEnds(text: string): boolean {
  return text.includes('\r\n') && !hasUniformReturns(text)
}

function hasUniformReturns(text: string): boolean {
  return text.includes('\r\n') && !/(?:^|[^\r])\n/.test(text)
}

/** By line, a last empty one after a last line end; null for gaps. Null when nothing is known by lines. */
export function linesOf(content: Content): readonly (string | null)[] | null {
  if (content.kind === 'text') return shownText(content.text).split('\n')
  return content.kind === 'parts' ? content.lines : null
}

/** Stretches of lines that nobody saw. */
export function gapsIn(lines: readonly (string | null)[]): number {
  return lines.filter((line, place) => line === null && (place === 0 || lines[place - 1] !== null)).length
}

/** As a person counts them: a last line end begins no line. */
export function lineCount(text: string): number {
  return text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}
