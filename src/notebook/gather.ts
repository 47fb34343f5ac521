// The Briefs of some days, from all conversations that something happened in then. Records count on the day of their own
// time, so a session over midnight is in two days; one that was copied into a fork counts once, where it was first.

import type { PlacedRecord } from '../conversation/model.ts'
import { briefOf } from '../digest/brief.ts'
import type { Brief } from '../digest/model.ts'
import type { BriefSource, Holds } from '../digest/work.ts'
import type { Access } from '../load/access.ts'
import type { Bodies } from '../load/bodies.ts'
import { openBodies } from '../load/bodies.ts'
import type { FoundTranscripts } from '../load/found.ts'
import { mainFiles } from '../load/found.ts'
import type { ListedConversation } from '../load/list.ts'
import type { OnProgress } from '../load/pool.ts'
import type { LoadedFile, ReadFile } from '../load/read.ts'
import type { OpenSession } from '../load/session.ts'
import { openSession, openSubagent } from '../load/session.ts'
import type { Redactor } from '../redact/model.ts'
import { isMachineMade, isTiny } from './machine-made.ts'

export interface Day {
  readonly date: string
  readonly fromMs: number
  /** The first moment of the next day. */
  readonly toMs: number
}

export interface GatherOptions {
  readonly days: readonly Day[]
  readonly isWanted: (row: ListedConversation) => boolean
  /** Sessions of programs and sessions in which next to nothing happened, too. */
  readonly keepsAll: boolean
  /** Everything a Brief is made of passes it, before it is cut: half a Secret is not known for one any more. */
  readonly redactor?: Redactor
  readonly onProgress?: OnProgress
}

export async function gatherBriefs(
  archive: FoundTranscripts,
  access: Access,
  options: GatherOptions,
): Promise<ReadonlyMap<string, readonly Brief[]>> {
  const { days, isWanted, keepsAll } = options
  const rows = (await access.list(archive, options.onProgress)).filter(
    (row) => isWanted(row) && days.some((day) => overlaps(row, day)),
  )
  rows.sort((one, other) => (one.createdMs ?? 0) - (other.createdMs ?? 0) || (one.path < other.path ? -1 : 1))
  const files = new Map(mainFiles(archive).map((file) => [file.path, file]))
  const read = remembering(access.read)
  const found = new Map<string, Brief[]>(days.map(({ date }) => [date, []]))
  const told = new Set<string>()
  const bodies = openBodies()
  try {
    for (const [place, row] of rows.entries()) {
      options.onProgress?.(place, rows.length)
      const file = files.get(row.path)
      if (file === undefined) continue
      const session = openSession(archive, file, 'resume', read, access.kin)
      const source = redacted(briefSource(session, bodies), session, options.redactor)
      if (!keepsAll && isMachineMade(source)) continue
      for (const day of days) {
        if (!overlaps(row, day)) continue
        const brief = withoutSecrets(briefOf(source, holdsDay(day, told)), options.redactor)
        if (brief.turns.length === 0) continue
        // A day may have but a word of a long session.
        if (keepsAll || !isTiny(brief) || !isTiny(briefOf(source))) found.get(day.date)?.push(brief)
      }
      for (const { uuid } of session.woven.joined.nodes) told.add(uuid)
    }
  } finally {
    bodies.close()
  }
  return found
}

export function briefSource(session: OpenSession, bodies: Bodies): BriefSource {
  return {
    woven: session.woven,
    bodyOf: bodies.read,
    openAgent: (agentId) => openSubagent(session, agentId, 'resume'),
  }
}

function redacted(source: BriefSource, { woven }: OpenSession, redactor: Redactor | undefined): BriefSource {
  if (redactor === undefined) return source
  const agents = [...woven.source.agents, ...woven.inline]
  for (const { path, envelopes } of [woven.source.main, ...woven.source.earlier, ...agents]) {
    for (const envelope of envelopes) redactor.learn(source.bodyOf(path, envelope))
  }
  return { ...source, bodyOf: (path, envelope) => redactor.value(source.bodyOf(path, envelope)) }
}

/** A title is no record of its own. Where it was cut, its last word may be half a Secret. */
function withoutSecrets(brief: Brief, redactor: Redactor | undefined): Brief {
  if (redactor === undefined) return brief
  const title = redactor.text(brief.title.replace(/\S*…$/, '…')).text
  return { ...brief, title, gitBranch: redactor.value(brief.gitBranch), project: redactor.text(brief.project).text }
}

function overlaps({ createdMs, lastRecordMs, modifiedMs }: ListedConversation, { fromMs, toMs }: Day): boolean {
  return (createdMs ?? modifiedMs) < toMs && (lastRecordMs ?? modifiedMs) >= fromMs
}

function holdsDay({ fromMs, toMs }: Day, told: ReadonlySet<string>): Holds {
  return ({ envelope }: PlacedRecord) => {
    const { timestampMs, uuid } = envelope
    if (timestampMs === null || timestampMs < fromMs || timestampMs >= toMs) return false
    return uuid === null || !told.has(uuid)
  }
}

/** The other transcripts of a project are read for each of its sessions. */
function remembering(read: ReadFile): ReadFile {
  const known = new Map<string, LoadedFile>()
  let project = ''
  return (file) => {
    if (file.projectKey !== project) known.clear()
    project = file.projectKey
    const loaded = known.get(file.path) ?? read(file)
    known.set(file.path, loaded)
    return loaded
  }
}
