// Which conversations are exported. All of them are opened before anything is written: one that is not there, or has no
// such turn, is told while there is nothing to clear away. They are opened again one by one: not all fit into memory.

import { isInRange } from '../digest/usage-range.ts'
import { counted } from '../render/units.ts'
import type { World } from './command.ts'
import { openTranscripts } from './command.ts'
import type { Opened } from './export-open.ts'
import { openForExport } from './export-open.ts'
import type { ExportPlan } from './export-plan.ts'
import { Failure } from './failure.ts'
import { bringUpIndex } from './indexed.ts'
import type { TypedRange } from './range.ts'
import { localCalendar, rangeOf } from './range.ts'
import type { ReferenceOptions } from './reference.ts'
import { openReference } from './reference.ts'
import type { ScopeChoice } from './scope.ts'
import { conversationFilter } from './scope.ts'
import { noteUnread, refuseUnread } from './unread.ts'

export interface Chosen {
  readonly sizeBytes: number
  readonly open: () => Promise<Opened>
}

/** Each once, in the order in which they were named. */
export async function chooseConversations(
  references: readonly string[],
  options: ReferenceOptions,
  plan: ExportPlan,
  world: World,
): Promise<readonly Chosen[]> {
  const chosen = new Map<string, Chosen>()
  for (const reference of references) {
    let isTold = false
    const open = async (): Promise<Opened> => {
      const found = await openReference(reference, options, world, 'resume')
      refuseUnread(found)
      const opened = openForExport(found, plan)
      if (!isTold) noteUnread(found, world.output)
      isTold = true
      return opened
    }
    const opened = await named(reference, references.length > 1, open)
    const { path, sizeBytes } = opened.session.main.file
    const key = JSON.stringify([
      path,
      opened.agent?.agentId,
      opened.reading.branch,
      opened.turns.map((turn) => turn.number),
    ])
    if (!chosen.has(key)) chosen.set(key, { sizeBytes, open: references.length > 1 ? open : async () => opened })
  }
  return [...chosen.values()]
}

/** Of several, which one it was. */
async function named<Value>(reference: string, isSeveral: boolean, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Failure) || !isSeveral || error.message.includes(reference)) throw error
    throw new Failure(`${reference}: ${error.message}`, error.exitCode)
  }
}

/** The conversations that --since, --until and the scope mean, newest first. */
export async function referencesOf(
  options: ReferenceOptions & ScopeChoice & TypedRange,
  world: World,
): Promise<readonly string[]> {
  const { since, until, here, repo, project } = options
  if (since === undefined && until === undefined && !here && !repo && project === undefined)
    throw new Failure('which conversation? Give an id, a prefix, a title, a path or “latest”, or --since 7d.')
  const calendar = localCalendar()
  const range = rangeOf(options, calendar, world)
  const archive = openTranscripts(options.root, world)
  const all = await bringUpIndex(options['no-index'], archive, world, ({ access }) =>
    access.list(archive, world.progress.show),
  )
  world.progress.clear()
  const isWanted = conversationFilter(options, world.folder)
  const rows = all.filter((row) => row.messages > 0 && isInRange(row.modifiedMs, range, calendar) && isWanted(row))
  if (rows.length === 0) throw new Failure(`none of ${counted(all.length, 'conversation')} matches. Try: clew list`)
  return rows.map(({ path }) => path)
}
