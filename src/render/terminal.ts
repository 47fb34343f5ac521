// What may reach a terminal. Transcripts hold text from anywhere: file contents, web pages, other programs. An allow-list
// lets through line ends, tabs and printable characters; everything that could move a cursor, change a title, hide or
// reorder text is shown as a visible escape. Colours are only ever ours.

import { writeJson } from './json.ts'
import { OWN_SEQUENCES } from './style.ts'

// Colour sequences inside content say nothing worth showing; they are dropped before the rest is made visible.
const COLOURS = /\u001b\[[0-9;:]*m/g

const FORBIDDEN = new RegExp(
  [
    '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]', // C0 but tab and line end, DEL, C1
    '[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]', // text direction
    '[\\u200b\\u2028\\u2029\\u2060-\\u2065\\u206a-\\u206f\\ufeff\\ufff9-\\ufffb\\u180e\\u00ad]', // invisible
    '[\\u{e0000}-\\u{e0fff}]', // tag characters and hidden variation selectors
    '[\\ud800-\\udfff]', // halves of surrogate pairs
  ].join('|'),
  'gu',
)

/** Content made safe to print. */
export function safe(text: string): string {
  return text.replace(COLOURS, '').replaceAll('\r\n', '\n').replace(FORBIDDEN, visible)
}

/** Most of what a table shows is this, and needs no change. */
const PLAIN_LINE = /^(?:[!-~]+(?: [!-~]+)*)?$/
const PLAIN_NAME = /^[ -~]*$/

/** Content on one line: line ends and tabs become spaces too. */
export function safeLine(text: string): string {
  if (PLAIN_LINE.test(text)) return text
  return safe(text).replace(/\s+/g, ' ').trim()
}

/** A name (an id, a path, a word somebody typed) on one line with nothing lost: line ends and tabs are escaped too. */
export function safeName(text: string): string {
  if (PLAIN_NAME.test(text)) return text
  return text.replace(FORBIDDEN, visible).replace(/[\n\t]/g, visible)
}

/** The last gate: only our own colour sequences pass; without colours, none do. */
export function gate(output: string, hasColours: boolean): string {
  const pieces = output.split(/(\u001b\[[0-9;]*m)/)
  return pieces
    .map((piece, index) =>
      index % 2 === 1 ? (hasColours && OWN_SEQUENCES.has(piece) ? piece : '') : piece.replace(FORBIDDEN, visible),
    )
    .join('')
}

/** JSON with every character escaped that a terminal should not see; it parses to the same value. */
export function toJson(value: unknown): string {
  return writeJson(value).replace(FORBIDDEN, (found) => {
    let escaped = ''
    for (let at = 0; at < found.length; at++) escaped += `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`
    return escaped
  })
}

function visible(found: string): string {
  const point = found.codePointAt(0) ?? 0
  return point <= 0xff ? `\\x${point.toString(16).padStart(2, '0')}` : `\\u{${point.toString(16)}}`
}
