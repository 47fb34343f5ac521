// Hits → what can be gone to: by conversation, in the order in which the best of each was found.

import type { SearchHitView } from '../../server/api/search.ts'

export interface HitGroup {
  readonly id: string
  readonly title: string
  readonly project: string
  readonly isGone: boolean
  readonly places: readonly HitPlace[]
}

export interface HitPlace {
  /** Among all that can be gone to. */
  readonly number: number
  readonly href: string
  /** Null for the conversation itself, where there is more than is shown. */
  readonly hit: SearchHitView | null
  readonly more: number
}

export function groupHits(hits: readonly SearchHitView[], words: string): readonly HitGroup[] {
  const byConversation = new Map<string, SearchHitView[]>()
  for (const hit of hits) {
    const known = byConversation.get(hit.id)
    if (known === undefined) byConversation.set(hit.id, [hit])
    else known.push(hit)
  }
  let number = 0
  return [...byConversation].map(([id, own]) => {
    const places: HitPlace[] = own.map((hit) => ({ number: number++, href: hrefOf(hit, words), hit, more: 0 }))
    const more = own.reduce((sum, hit) => sum + hit.more, 0)
    if (more > 0) places.push({ number: number++, href: conversationHref(id, null, words), hit: null, more })
    const [first] = own
    return { id, title: first?.title ?? '', project: first?.project ?? '', isGone: first?.isGone ?? false, places }
  })
}

/** The very place: `/c/<id>[/<agent>]?q=<words>#<record>`. A title has no record; it leads to the beginning. */
function hrefOf({ id, agentId, uuid, offset, field }: SearchHitView, words: string): string {
  const page = conversationHref(id, agentId, words)
  if (field === 'titles') return page
  return `${page}#${uuid === null ? `@${offset}` : encodeURIComponent(uuid)}`
}

function conversationHref(id: string, agentId: string | null, words: string): string {
  const agent = agentId === null ? '' : `/${encodeURIComponent(agentId)}`
  const query = words.trim() === '' ? '' : `?q=${encodeURIComponent(words.trim())}`
  return `/c/${encodeURIComponent(id)}${agent}${query}`
}
