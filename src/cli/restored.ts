// A Version as the bytes that are written of it, and what has to be said about them.

import { certaintyOf } from '../recover/content.ts'
import type { Content, Version } from '../recover/model.ts'
import { doubtOf, gapsOf } from './version-rows.ts'

/** What to do about lines that nobody saw. */
export type GapRule = 'refuse' | 'leave-out' | 'mark'

/** Null when there is nothing to write, or too little for the rule. */
export function bytesOf({ content }: Version, rule: GapRule): Uint8Array | null {
  switch (content.kind) {
    case 'text':
      return Buffer.from(content.text, 'utf8')
    case 'bytes':
      return content.bytes
    case 'parts':
      return rule === 'refuse' && certaintyOf(content) === 'partial'
        ? null
        : Buffer.from(partsText(content, rule), 'utf8')
    default:
      return null
  }
}

type Parts = Extract<Content, { kind: 'parts' }>

function partsText({ lines, isOpen }: Parts, rule: GapRule): string {
  const written: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string | null
    if (line !== null) {
      written.push(line)
      continue
    }
    const start = at
    while (at + 1 < lines.length && lines[at + 1] === null) at++
    if (rule === 'mark') written.push(gapMark(start + 1, at + 1 === lines.length && isOpen ? null : at + 1))
  }
  if (isOpen && rule === 'mark' && lines.at(-1) !== null) written.push(gapMark(lines.length + 1, null))
  return written.join('\n')
}

function gapMark(first: number, last: number | null): string {
  const which = last === null ? `line ${first} and on` : first === last ? `line ${first}` : `lines ${first} to ${last}`
  return `⟦clew: ${which}: nobody saw it⟧`
}

/** How sure it is, in a sentence. */
export function surenessOf({ content }: Version): string {
  const doubt = doubtOf(content)
  switch (certaintyOf(content)) {
    case 'exact':
      return 'every byte is certain'
    case 'text':
      return 'every line is certain; line ends are assumed, because the client does not show them'
    case 'doubtful':
      return `every line is known, but in doubt: ${doubt ?? 'it was pieced together'}`
    case 'partial':
      return `${gapWords(content)}${doubt === null ? '' : `; ${doubt}`}`
    case 'absent':
      return 'there was no such file'
    default:
      return 'nothing is known of its content'
  }
}

function gapWords(content: Content): string {
  if (content.kind !== 'parts') return 'known in part'
  const { lines } = content
  const known: string[] = []
  for (let at = 0; at < lines.length; at++) {
    if (lines[at] === null) continue
    const start = at
    while (at + 1 < lines.length && lines[at + 1] !== null) at++
    known.push(start === at ? `${start + 1}` : `${start + 1}-${at + 1}`)
  }
  const total = content.isOpen ? 'an unknown number' : String(lines.length)
  const shown = known.length > 12 ? `${known.slice(0, 12).join(', ')} …` : known.join(', ')
  const gaps = gapsOf(content)
  return `lines ${shown || 'none'} of ${total} are known, with ${gaps} gap${gaps === 1 ? '' : 's'}`
}
