// Title, project and Turns of the conversations in which a scan found something: from the index where it is current,
// else woven on the spot. Only what is shown is asked for.

import type { ConversationSummary } from '../conversation/summary.ts'
import { summarise } from '../conversation/summary.ts'
import { turnPlaces } from '../conversation/turn-places.ts'
import type { FoundTranscripts } from '../load/found.ts'
import { mainFiles } from '../load/found.ts'
import type { ReadFile } from '../load/read.ts'
import { openSession } from '../load/session.ts'
import type { TranscriptFile } from '../source/model.ts'
import { Conversations } from './conversations.ts'
import type { Database } from './database.ts'
import type { Place } from './packed-places.ts'
import { isCurrent, knownFiles } from './plan.ts'

export interface Describe {
  readonly row: (file: TranscriptFile) => ConversationSummary | null
  /** Of a record by its order in the file. */
  readonly place: (file: TranscriptFile, record: number) => Place
}

const NOWHERE: Place = { branch: -1, turn: 0 }

export function describeFromDisk(archive: FoundTranscripts, read: ReadFile): Describe {
  const mains = mainFiles(archive)
  const woven = new Map<string, { row: ConversationSummary; place: (record: number) => Place }>()
  const describe = (file: TranscriptFile) => {
    const known = woven.get(file.path)
    if (known !== undefined) return known
    const session = openSession(archive, file, 'resume', read)
    const { branches, turns } = turnPlaces(session.woven)
    const place = (record: number): Place => ({ branch: branches[record] ?? -1, turn: turns[record] ?? 0 })
    const made = { row: summarise(session.woven, 0), place }
    woven.set(file.path, made)
    return made
  }
  const mainOf = (file: TranscriptFile): TranscriptFile | undefined =>
    file.role === 'main' ? file : mains.find((main) => main.sessionId !== null && main.sessionId === file.sessionId)
  return {
    row: (file) => {
      const main = mainOf(file)
      return main === undefined ? null : describe(main).row
    },
    // A subagent's file counts as one Turn: it was given one task.
    place: (file, record) => {
      if (record < 0) return NOWHERE
      return file.role === 'main' ? describe(file).place(record) : { branch: 0, turn: 1 }
    },
  }
}

/** The same from the index, file by file where it is current. */
export function describeFromIndex(database: Database, archive: FoundTranscripts, read: ReadFile): Describe {
  const known = knownFiles(database)
  const conversations = new Conversations(database)
  const fromDisk = describeFromDisk(archive, read)
  const idOf = (file: TranscriptFile): number | null => {
    const row = known.get(file.path)
    return row !== undefined && isCurrent(row, file) ? row.id : null
  }
  return {
    row: (file) => {
      const id = idOf(file)
      return (id === null ? null : conversations.row(id)) ?? fromDisk.row(file)
    },
    place: (file, record) => {
      const id = idOf(file)
      if (id === null) return fromDisk.place(file, record)
      return record < 0 ? NOWHERE : conversations.place(id, record)
    },
  }
}
