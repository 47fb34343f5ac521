// What the client would send of a transcript, and how it links its records.

import { readContext } from '../graph/context.ts'
import type { ContextLinks } from '../graph/context-links.ts'
import { contextLinks } from '../graph/context-links.ts'
import { bridgeBreaks } from '../graph/resume.ts'
import type { Thread, ThreadNode } from '../graph/thread.ts'

/** The records the client goes on from, in order, back to the last compaction. Those of subagents are not sent. */
export function sentNodes(thread: Thread): readonly ThreadNode[] {
  const nodes = readContext(thread, 'resume').nodes.map((index) => thread.nodes[index] as ThreadNode)
  return nodes.filter(({ last }) => !last.isSidechain)
}

/** Links as the client sees them when it resumes; while it runs, it has forgotten nothing of what a compaction left behind. */
export function clientLinks(thread: Thread, isRunning = false): ContextLinks {
  const links = contextLinks(thread, { isClient: true, isRunning })
  bridgeBreaks(thread, links)
  return links
}

/** A record of the event-log dialect has no uuid of its own: the one it is known by is its place, which may change. */
export function hasOwnUuid({ uuid }: ThreadNode): boolean {
  return !uuid.startsWith('event-log:')
}
