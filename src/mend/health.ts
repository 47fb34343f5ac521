// How a transcript stands, seen with the eyes of the client: where it would go on, what it would come to from there, and
// what the API would say to that.

import { weave } from '../conversation/build.ts'
import { reachOf } from '../conversation/reach.ts'
import { readContext } from '../graph/context.ts'
import type { Relation } from '../graph/relate.ts'
import type { Thread, ThreadNode } from '../graph/thread.ts'
import { newLabels } from '../record/labels.ts'
import { isMessage } from '../record/roles.ts'
import type { Draft } from './draft.ts'
import { threadOf } from './draft.ts'
import { sentNodes } from './live-path.ts'
import { staleTip, strayOf } from './mend-tip.ts'
import type { Health, TipFacts } from './model.ts'
import { reachableNodes } from './reachable.ts'
import { troublesOf } from './troubles.ts'

export function healthOf(draft: Draft): Health {
  const thread = threadOf(draft)
  const sent = sentNodes(thread)
  const file = readContext(thread, 'file')
  const resume = readContext(thread, 'resume')
  const reachable = reachableNodes(thread)
  const { branches, islands } = reachOf(wovenOf(draft, thread))
  const { troubles, harmless } = troublesOf(draft, thread, sent)
  const stray = strayOf(thread)
  const stale = staleTip(thread)
  // A pointer, or messages that a compaction kept, may lead the client past a late note.
  const isHidden = stray !== null && resume.tip !== stray.hidden
  const hides = isHidden ? (thread.nodes[stray.note] as ThreadNode) : (stale?.pointed ?? null)
  return {
    records: thread.nodes.filter(({ last }) => !last.isSidechain).length,
    reachable: reachable.length,
    sent: sent.length,
    listed: file.nodes.length,
    reachableMessages: reachable.filter(({ last }) => isMessage(last) && last.blocks.includes('text')).length,
    branches,
    islands,
    tip: tipFacts(thread, resume.tip),
    fileTip: tipFacts(thread, file.tip),
    hiddenBy: hides === null ? null : { uuid: hides.uuid, line: hides.last.line },
    troubles,
    harmless,
    damagedLines: draft.mendsLines ? 0 : new Set(draft.survey.faults.map(({ line }) => line)).size,
  }
}

function tipFacts(thread: Thread, tip: number | null): TipFacts | null {
  if (tip === null) return null
  const { uuid, last } = thread.nodes[tip] as ThreadNode
  return { uuid, line: last.line }
}

const ALONE: Relation = { continues: null, forkOf: null }

function wovenOf(draft: Draft, own: Thread): ReturnType<typeof weave> {
  const envelopes = draft.envelopes.filter((_, row) => !draft.dropped.has(row))
  const sessionId = sessionOf(draft) ?? ''
  const main = { path: draft.survey.source.path, sessionId, envelopes, problems: [], labels: newLabels() }
  const rest = { projectKey: '', earlier: [], agents: [], relation: ALONE, sidecarTitle: null }
  return weave({ sessionId, main, own, ...rest }, 'resume')
}

/** The session that the records name; the last one, because a copy of another's records may stand before. */
export function sessionOf({ survey }: Draft): string | null {
  return survey.envelopes.findLast(({ sessionId }) => sessionId !== null)?.sessionId ?? null
}
