// Where the conversation ends. A late note below an early message makes both official readers end there; a pointer that
// was not written again after a branch began makes the client go back to the old one.

import type { ContextLinks } from '../graph/context-links.ts'
import { contextLinks } from '../graph/context-links.ts'
import { tipByFileOrder } from '../graph/file-tip.ts'
import { goesOnFrom, heededPointer } from '../graph/resume.ts'
import type { Thread, ThreadNode } from '../graph/thread.ts'
import { MESSAGE, QUEUED, SIDECHAIN } from '../graph/thread.ts'
import { text } from '../record/fields.ts'
import type { Envelope } from '../record/model.ts'
import type { Draft } from './draft.ts'
import { addMade, addStep, rowOf, setParent, shown, threadOf } from './draft.ts'
import { clientLinks } from './live-path.ts'
import { madePointer } from './made.ts'
import { bodyOf } from './row-text.ts'

export function mendTip(draft: Draft): void {
  mendStray(draft)
  mendPointer(draft)
}

export interface Stray {
  /** The first record of the note. */
  readonly note: number
  /** The last message that it hides. */
  readonly hidden: number
}

function mendStray(draft: Draft): void {
  const thread = threadOf(draft)
  const stray = strayOf(thread)
  if (stray === null) return
  const note = thread.nodes[stray.note] as ThreadNode
  const hidden = thread.nodes[stray.hidden] as ThreadNode
  const row = rowOf(draft, note.last)
  const before = [shown(draft, row, `parentUuid: ${note.last.parentUuid}`)]
  setParent(draft, row, hidden.uuid)
  const why =
    'it is the last in the file and hangs below an early message; who goes by the order of the file ends there'
  addStep(draft, ['tip', 'stray-late-record', 'hang a late record below the last message', why], before, [
    shown(draft, row, `parentUuid: ${hidden.uuid}`),
  ])
}

/** The record at the end of the file that hides the rest; null when there is none. */
export function strayOf(thread: Thread): Stray | null {
  const links = contextLinks(thread, { isClient: true })
  const leaf = lastLeaf(thread, links)
  if (leaf === null) return null
  let note = leaf
  let top = leaf
  const seen = new Set<number>()
  while (top >= 0 && isNote(thread, top) && !seen.has(top)) {
    seen.add(top)
    note = top
    top = links.parents[top] as number
  }
  if (top < 0 || top === leaf || seen.has(top) || isKept(thread, note)) return null
  const hidden = lastMessageBefore(thread, note)
  if (hidden === null || hidden <= top || thread.last.parents[note] === hidden || isOnWay(links, hidden, leaf))
    return null
  const isBeside = (thread.nodes[top] as ThreadNode).last.kind === 'tool-result' && (links.parents[top] as number)
  const isBelow = isOnWay(links, top, hidden) || (typeof isBeside === 'number' && isOnWay(links, isBeside, hidden))
  return isBelow && !wasRewound(thread, hidden, note) ? { note, hidden } : null
}

/** What a compaction kept stands where that says, whatever its parent is. */
function isKept(thread: Thread, note: number): boolean {
  const { uuid } = thread.nodes[note] as ThreadNode
  return thread.nodes.some(({ last }) => {
    const preserved = last.boundary?.preserved ?? null
    if (preserved === null) return false
    return preserved.uuids?.includes(uuid) ?? (preserved.headUuid === uuid || preserved.tailUuid === uuid)
  })
}

/** The last record in the file that nothing follows. */
function lastLeaf(thread: Thread, links: ContextLinks): number | null {
  const isFollowed = new Uint8Array(thread.nodes.length)
  const takesPart = (index: number): boolean =>
    links.walked[index] === 1 && ((thread.last.flags[index] as number) & SIDECHAIN) === 0
  for (let index = 0; index < isFollowed.length; index++) {
    const parent = links.directParents[index] as number
    if (takesPart(index) && parent >= 0) isFollowed[parent] = 1
  }
  let leaf: number | null = null
  let order = -1
  for (let index = 0; index < isFollowed.length; index++) {
    const { lastOrder } = thread.nodes[index] as ThreadNode
    if (!takesPart(index) || isFollowed[index] === 1 || lastOrder < order) continue
    leaf = index
    order = lastOrder
  }
  return leaf
}

/** A record that nobody would go on from: a system record, an attachment, a remark of the harness. */
function isNote(thread: Thread, index: number): boolean {
  const flag = thread.last.flags[index] as number
  const { last } = thread.nodes[index] as ThreadNode
  if ((flag & QUEUED) !== 0 || last.kind === 'boundary') return false
  return (flag & MESSAGE) === 0 || (last.isMeta && last.kind === 'injection')
}

function lastMessageBefore(thread: Thread, end: number): number | null {
  for (let index = end - 1; index >= 0; index--) {
    const flag = thread.last.flags[index] as number
    if ((flag & (MESSAGE | SIDECHAIN)) === MESSAGE && !isNote(thread, index)) return index
  }
  return null
}

function isOnWay({ parents }: ContextLinks, above: number, from: number): boolean {
  const seen = new Uint8Array(parents.length)
  for (let at = from; at >= 0 && seen[at] === 0; at = parents[at] as number) {
    if (at === above) return true
    seen[at] = 1
  }
  return false
}

/** Between the two the person went back on purpose: that is remembered by an explicit pointer. */
function wasRewound(thread: Thread, hidden: number, note: number): boolean {
  const from = (thread.nodes[hidden] as ThreadNode).last.offset
  const to = (thread.nodes[note] as ThreadNode).last.offset
  return thread.loose.some(
    ({ envelope }) =>
      envelope.type === 'last-prompt' &&
      envelope.links?.leafIsExplicit === true &&
      envelope.offset > from &&
      envelope.offset < to,
  )
}

function mendPointer(draft: Draft): void {
  const thread = threadOf(draft)
  const stale = staleTip(thread)
  const end = thread.nodes.at(-1)
  if (stale === null || end === undefined) return
  const { tip, pointed } = stale
  const pointers = thread.loose.filter(({ envelope }) => envelope.type === 'last-prompt')
  const lastPrompt = pointers.map(({ envelope }) => promptOf(draft, envelope)).findLast((one) => one !== null) ?? null
  const { body, envelope } = madePointer(
    { ...tip.last, offset: draft.survey.source.sizeBytes + 1 },
    tip.uuid,
    lastPrompt,
  )
  const row = addMade(draft, body, envelope)
  const before = [shown(draft, rowOf(draft, pointed.last), 'where the last pointer leads')]
  const why = 'the pointer is older than another branch, and the client would go back to where it leads'
  addStep(draft, ['tip', 'stale-pointer', 'point to the newest branch', why], before, [
    shown(draft, row, `leafUuid: ${tip.uuid}`),
  ])
}

function promptOf(draft: Draft, envelope: Envelope): string | null {
  return text(bodyOf(draft, rowOf(draft, envelope))['lastPrompt'])
}

/** The tip by file order, when the last pointer leads elsewhere and was written before it. */
export function staleTip(thread: Thread): { readonly tip: ThreadNode; readonly pointed: ThreadNode } | null {
  const links = clientLinks(thread)
  const pointer = heededPointer(thread, links)
  const fileTip = tipByFileOrder(thread, links)
  if (pointer === null || fileTip === null || goesOnFrom(thread, links, pointer.node, fileTip)) return null
  const tip = thread.nodes[fileTip] as ThreadNode
  return tip.lastOrder > pointer.order ? { tip, pointed: thread.nodes[pointer.node] as ThreadNode } : null
}
