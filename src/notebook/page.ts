// A dated page that both we and a person write. What we wrote stands between two marks with its own checksum; the rest,
// and what stands in the notes inside, is theirs and stays byte for byte. What they changed between our marks is not
// ours any more, and we say so instead of writing over it.

import { createHash } from 'node:crypto'

export type PageState = 'new' | 'unchanged' | 'changed' | 'edited' | 'unmarked'

export interface Page {
  readonly state: PageState
  readonly text: string
}

const BEGIN = /^<!-- clew:begin ([0-9a-f]{16}) -->$/m
const END = '<!-- clew:end -->'
const NOTES = /<!-- clew:notes ?([^>\n]*?) -->\n([\s\S]*?)<!-- \/clew:notes -->/g

/** `generated` may hold empty notes (`emptyNotes`); they are filled with what stands in the page already. */
export function writePage(existing: string | null, head: string, generated: string, force = false): Page {
  if (existing === null) return { state: 'new', text: `${head}${framed(generated)}\n` }
  const eol = existing.includes('\r\n') ? '\r\n' : '\n'
  const found = frameIn(existing)
  // Without its end nobody knows what is ours: not even when asked to.
  if (found === 'endless') return { state: 'unmarked', text: existing }
  // A page that somebody wrote without us: ours goes to its end.
  if (found === null)
    return { state: 'changed', text: `${existing.replace(/\s*$/, '')}${eol}${eol}${framed(generated)}\n` }
  const notes = notesIn(found.inner)
  if (!force && checksum(withoutNotes(found.inner)) !== found.checksum) return { state: 'edited', text: existing }
  const kept = framed(filled(generated, notes))
  const text =
    existing.slice(0, found.start) + (eol === '\n' ? kept : kept.replaceAll('\n', eol)) + existing.slice(found.end)
  return { state: text === existing ? 'unchanged' : 'changed', text }
}

/** Room for a person's own words inside what we write. */
export function emptyNotes(name: string): string {
  return `<!-- clew:notes ${nameOf(name)} -->\n<!-- /clew:notes -->`
}

function nameOf(name: string): string {
  return name.replace(/[^\w./-]+/g, '-').slice(0, 80)
}

interface Frame {
  readonly start: number
  readonly end: number
  readonly checksum: string
  readonly inner: string
}

function frameIn(text: string): Frame | 'endless' | null {
  const begin = BEGIN.exec(text)
  if (begin === null) return null
  const innerStart = begin.index + begin[0].length
  const end = text.indexOf(END, innerStart)
  if (end < 0) return 'endless'
  const inner = text
    .slice(innerStart, end)
    .replaceAll('\r\n', '\n')
    .replace(/^\n|\n$/g, '')
  return { start: begin.index, end: end + END.length, checksum: begin[1] as string, inner }
}

function framed(inner: string): string {
  return `<!-- clew:begin ${checksum(withoutNotes(inner))} -->\n${inner}\n${END}`
}

function notesIn(inner: string): ReadonlyMap<string, string> {
  return new Map([...inner.matchAll(NOTES)].map(([, name = '', said = '']) => [name, said]))
}

function filled(generated: string, notes: ReadonlyMap<string, string>): string {
  const left = new Map(notes)
  const text = generated.replace(NOTES, (whole, name: string) => {
    const said = left.get(name)
    left.delete(name)
    return said === undefined ? whole : `<!-- clew:notes ${name} -->\n${said}<!-- /clew:notes -->`
  })
  // A project that is no longer on the page leaves its notes behind.
  const lost = [...left].filter(([, said]) => said.trim() !== '')
  return lost.reduce(
    (page, [name, said]) => `${page}\n\n<!-- clew:notes ${name} -->\n${said}<!-- /clew:notes -->`,
    text,
  )
}

function withoutNotes(inner: string): string {
  return inner.replace(NOTES, '').replace(/\s+/g, ' ').trim()
}

function checksum(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
