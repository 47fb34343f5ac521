// Private keys in blocks: from BEGIN to END, over real line ends and over escaped ones, with whatever a diff, a quotation, a
// listing with line numbers or a string literal puts between the lines. A block that is cut off ends with its last line.

import { isBase64 } from './base64-code.ts'
import type { Span } from './span.ts'

/** `at` is where `-----BEGIN ` stands. */
export function pemBlock(text: string, at: number): Span | null {
  HEADER.lastIndex = at
  if (!HEADER.test(text)) return null
  return blockFrom(text, at, HEADER.lastIndex)
}

/** `Private-Lines: 14` of a PuTTY file. */
export function puttyBlock(text: string, at: number): Span | null {
  PUTTY.lastIndex = at
  if (!PUTTY.test(text)) return null
  return blockFrom(text, PUTTY.lastIndex, PUTTY.lastIndex)
}

/** The rest of a block whose beginning was cut off: `at` is where `-----END ` stands. */
export function pemRest(text: string, at: number, from: number): Span | null {
  FOOTER.lastIndex = at
  if (!FOOTER.test(text)) return null
  const end = FOOTER.lastIndex
  let start = at
  let back = at
  let shortRuns = 0
  while (back > from && at - back < BLOCK_MAX) {
    let begin = back
    while (begin > from && isBase64(text.charCodeAt(begin - 1))) begin--
    // The letter of an escaped line end looks like a part of the line.
    const isEscape = text.charAt(begin - 1) === '\\'
    if (back - begin - (isEscape ? 1 : 0) >= LINE_MIN || (start === at && back - begin > 4)) {
      start = isEscape ? begin + 1 : begin
    } else if (back > begin && ++shortRuns > SHORT_MAX) break
    back = begin
    let skipped = 0
    while (back > from && !isBase64(text.charCodeAt(back - 1)) && skipped < SKIP_MAX) {
      back--
      skipped += text.charCodeAt(back) === 0 ? SKIP_MAX : 1
    }
    if (skipped >= SKIP_MAX || (skipped === 0 && begin === back && begin <= from)) break
  }
  if (start === at) return null
  return { start, end, rule: 'private-key', secret: linesOf(text.slice(start, end)), rank: 1 }
}

const HEADER = /-{4,5} ?BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)? ?-{4,5}/y
const FOOTER = /-{4,5} ?END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)? ?-{4,5}/y
const PUTTY = /Private-Lines: \d{1,4}/iy
const BLOCK_MAX = 1 << 18
const LINE_MIN = 16
const SKIP_MAX = 40

function blockFrom(text: string, start: number, bodyStart: number): Span | null {
  const limit = Math.min(text.length, bodyStart + BLOCK_MAX)
  let at = bodyStart
  /** Behind the last thing that surely belongs to the key. */
  let end = bodyStart
  let skipped = 0
  let shortRuns = 0
  while (at < limit) {
    const code = text.charCodeAt(at)
    if (code === 0) break
    if (code === DASH) {
      FOOTER.lastIndex = at
      if (FOOTER.test(text)) {
        end = FOOTER.lastIndex
        break
      }
      HEADER.lastIndex = at
      if (HEADER.test(text)) break
    }
    if (code === BACKSLASH) {
      at = behindEscape(text, at)
      skipped++
    } else if (isBase64(code)) {
      const behind = behindOther(text, at)
      if (behind > at) {
        at = behind
        continue
      }
      let runEnd = at
      while (runEnd < limit && isBase64(text.charCodeAt(runEnd))) runEnd++
      if (runEnd - at >= LINE_MIN) {
        end = runEnd
        shortRuns = 0
      } else if (++shortRuns > SHORT_MAX) break
      else if (isLastLine(text, end, at, runEnd)) end = runEnd
      at = runEnd
      skipped = 0
    } else {
      at++
      skipped++
    }
    if (skipped > SKIP_MAX) break
  }
  if (end === bodyStart) return null
  return { start, end, rule: 'private-key', secret: linesOf(text.slice(start, end)), rank: 1 }
}

/** The key itself, however its lines are put under each other: the same key is the same Secret everywhere. */
function linesOf(block: string): string {
  const lines = block.includes('\\') ? block.replace(/\\+[nrt]/g, '\n') : block
  return (lines.match(/[A-Za-z0-9+/=]{16,}/g) ?? [block]).join('\n')
}

const DASH = 0x2d
const BACKSLASH = 0x5c
const SHORT_MAX = 3

/** `\n`, `\\n`, `\u000a`: the letters are none of the key. */
function behindEscape(text: string, at: number): number {
  let end = at
  while (text.charCodeAt(end) === BACKSLASH) end++
  if (/[nrt]/.test(text.charAt(end))) return end + 1
  if (/^u00[0-9a-fA-F]{2}/.test(text.slice(end, end + 5))) return end + 5
  return end
}

/** Line numbers of a listing, and the headers within a block. */
function behindOther(text: string, at: number): number {
  OTHER.lastIndex = at
  return OTHER.test(text) ? OTHER.lastIndex : at
}

const OTHER = /\d{1,6}[→\t|]|(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash|Private-MAC): ?[^\n\\]{0,100}/y

/** A line that is short ends a block when a full one stands right before it. */
function isLastLine(text: string, end: number, at: number, runEnd: number): boolean {
  if (runEnd - at < 2 || at - end > SKIP_MAX || BETWEEN_NOT.test(text.slice(end, at))) return false
  return BEHIND.test(text.slice(runEnd, runEnd + 1)) && ENDING.test(text.slice(at, runEnd))
}

const BETWEEN_NOT = /[^\s\\nrt"'`+,>|#→\d-]/
const BEHIND = /^(?:$|[\s\\"'`,-])/
const ENDING = /[=\d]|[a-z][A-Z]/
