// Commands and the index: who brings it up to date, who only looks into it, and what happens when it cannot be used.

import { existsSync } from 'node:fs'
import type { Access, LastTimes } from '../load/access.ts'
import { FROM_DISK } from '../load/access.ts'
import type { FoundTranscripts } from '../load/found.ts'
import type { GoneConversation } from '../search/access.ts'
import type { Database } from '../search/database.ts'
import { isBroken, setAside } from '../search/database.ts'
import { indexPath } from '../search/index-path.ts'
import { KeptIndex } from '../search/kept-index.ts'
import { isOfSqlite } from '../search/sqlite-code.ts'
import type { TranscriptFile } from '../source/model.ts'
import type { World } from './command.ts'
import { keptTimes } from './kept-list.ts'

export interface Indexed {
  readonly access: Access
  /** What was deleted since; nobody remembers it but the index. */
  readonly gone: (roots: readonly string[]) => readonly GoneConversation[]
  /** Null where there is no index. */
  readonly ask: <Value>(question: (database: Database) => Value) => Value | null
  /** Before somebody asks what a session is related to: where something has changed, the index may not know it yet. */
  readonly knowsKin: (archive: FoundTranscripts, file: TranscriptFile) => Promise<void>
}

const WITHOUT: Indexed = { access: FROM_DISK, gone: () => [], ask: () => null, knowsKin: async () => undefined }

/** More than this is left to a command that needs the whole index. */
export const WORTH_WAITING_BYTES = 32 << 20

/**
 * For a command that shows one thing: what the index knows is taken from it, but nobody waits for it to be made. It is
 * brought up to date where else all of a project would have to be read: of a project that somebody works in, it is a
 * little behind nearly always.
 */
export async function lookIntoIndex<Value>(
  noIndex: boolean | undefined,
  world: World,
  use: (indexed: Indexed) => Promise<Value>,
): Promise<Value> {
  if (noIndex === true || !existsSync(indexPath(world))) return use(WITHOUT)
  return orElse(
    world,
    () => withIndex(openKept, world, (index) => use(withKeptTimes(broughtUp(index, world), indexPath(world)))),
    () => use(WITHOUT),
  )
}

function broughtUp(index: KeptIndex, { nowMs, progress }: World): Indexed {
  let access = index.access()
  const bringUp = async (archive: FoundTranscripts): Promise<void> => {
    if (!index.isKept) return
    await index.refresh(archive, { nowMs, onProgress: progress.show, mostBytes: WORTH_WAITING_BYTES })
    progress.clear()
    access = index.access()
  }
  return {
    ...indexedBy(index),
    access: {
      read: (file) => access.read(file),
      kin: (archive, file) => access.kin?.(archive, file) ?? null,
      lastTimes: (archive) => access.lastTimes?.(archive),
      list: async (archive, onProgress) => {
        await bringUp(archive)
        return access.list(archive, onProgress)
      },
      check: (archive, onProgress) => access.check(archive, onProgress),
    },
    knowsKin: async (archive, file) => {
      if ((access.kin?.(archive, file) ?? null) === null) await bringUp(archive)
    },
  }
}

/** For a command that goes over everything: the index is brought up to date first, with progress. */
export async function bringUpIndex<Value>(
  noIndex: boolean | undefined,
  archive: FoundTranscripts,
  world: World,
  use: (indexed: Indexed) => Promise<Value>,
): Promise<Value> {
  if (noIndex === true) return use(WITHOUT)
  const work = async (index: KeptIndex): Promise<Value> => {
    if (!index.isKept) return use(WITHOUT)
    await index.refresh(archive, { nowMs: world.nowMs, onProgress: world.progress.show })
    world.progress.clear()
    return use(indexedBy(index))
  }
  return orElse(
    world,
    () => withIndex(openKept, world, work),
    () => use(WITHOUT),
  )
}

/** Opens the index and closes it again. One that turns out to be broken is set aside, and the work begins anew. */
export async function withIndex<Value, Kind extends KeptIndex>(
  open: (path: string) => Kind,
  world: World,
  use: (index: Kind) => Promise<Value>,
): Promise<Value> {
  const path = indexPath(world)
  const once = async (): Promise<Value> => {
    const index = open(path)
    try {
      return await use(index)
    } finally {
      index.close()
    }
  }
  try {
    return await once()
  } catch (error) {
    if (!isBroken(error)) throw error
    setAside(path)
    return once()
  }
}

function openKept(path: string): KeptIndex {
  return new KeptIndex(path)
}

function indexedBy(index: KeptIndex): Indexed {
  return {
    access: index.access(),
    gone: (roots) => index.gone(roots),
    ask: (question) => index.ask(question),
    knowsKin: async () => undefined,
  }
}

/** The list says the same, and has it in one place. */
function withKeptTimes({ access, ...rest }: Indexed, path: string): Indexed {
  const lastTimes = (archive: FoundTranscripts): LastTimes | undefined =>
    keptTimes(path, archive) ?? access.lastTimes?.(archive)
  return { access: { ...access, lastTimes }, ...rest }
}

/** A full disk, say. The index saves time and nothing else, so the command goes on without it. */
export async function orElse<Value>(
  world: World,
  work: () => Promise<Value>,
  otherwise: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (!isOfSqlite(error)) throw error
    world.progress.clear()
    world.output.note(`clew: the index cannot be used (${error.message}); reading the files themselves`)
    return otherwise()
  }
}
