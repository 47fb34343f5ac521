// Where a link may lead, and the addresses in a plain text.

const OUTWARD = /^(?:https?:\/\/|mailto:)/i
/** A sentence may end right behind an address, or close a bracket. */
const ADDRESS = /https?:\/\/[^\s<>"'`\\^{|}\u0000-\u001f]{1,2000}/g
const TRAILING = /[.,;:!?)\]]+$/

export function isOutwardLink(url: string): boolean {
  return OUTWARD.test(url)
}

export interface LinkedPart {
  readonly text: string
  readonly isLink: boolean
}

/** The same text in parts; those that are addresses begin with https:// or http://. */
export function linkedParts(text: string): readonly LinkedPart[] {
  const parts: LinkedPart[] = []
  let done = 0
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = found.replace(TRAILING, '')
    if (address.length < 10) continue
    if (index > done) parts.push({ text: text.slice(done, index), isLink: false })
    parts.push({ text: address, isLink: true })
    done = index + address.length
  }
  if (done < text.length) parts.push({ text: text.slice(done), isLink: false })
  return parts
}
