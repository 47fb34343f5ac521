// Notices what changes below the roots and brings the index up to it. Folders are watched, and because that misses things
// (network drives, a system out of watches) everything is looked at again now and then. Runs in a thread of its own where
// the index is a file, else beside the server.

import { dirname, join } from 'node:path'
import type { CopyFolders } from '../archive/copies.ts'
import { bringingOut } from '../archive/copies.ts'
import type { FoundTranscripts } from '../load/found.ts'
import { findTranscripts } from '../load/found.ts'
import type { Ingested } from '../search/ingest.ts'
import type { KeptIndex } from '../search/kept-index.ts'
import { FolderWatch } from './folder-watch.ts'

export interface Keeping {
  readonly roots: readonly string[]
  /** Null to look for no copies. */
  readonly copies: CopyFolders | null
  readonly index: Pick<KeptIndex, 'refresh'>
  readonly onReport: (report: Report) => void
}

export type Report =
  /** The archive is another than before. */
  | { readonly kind: 'found'; readonly archive: FoundTranscripts }
  | { readonly kind: 'progress'; readonly doneBytes: number; readonly totalBytes: number }
  | { readonly kind: 'done'; readonly state: Ingested }
  | { readonly kind: 'failed'; readonly message: string }

export interface Keeper {
  readonly stop: () => Promise<void>
}

const PAUSE_MAX_MS = 3000
const SETTLE_MS = 200
const POLL_MS = 10_000
/** Where folders cannot be watched. */
const BLIND_POLL_MS = 2000
const PROGRESS_MS = 100

export function keepArchive({ roots, copies, index, onReport }: Keeping): Keeper {
  const onFailure = (message: string): void => onReport({ kind: 'failed', message })
  const bringOut = copies === null ? undefined : bringingOut(copies, onFailure)
  let isStopped = false
  let isDirty = false
  let isIdle = false
  let known = ''
  let wake: () => void = () => undefined
  const folders = new FolderWatch(() => {
    isDirty = true
    if (isIdle) wake()
  })

  const look = async (): Promise<void> => {
    isDirty = false
    const archive = findTranscripts(roots, bringOut)
    folders.follow(foldersOf(archive))
    const seen = seenOf(archive)
    if (seen !== known) onReport({ kind: 'found', archive })
    known = seen
    const state = await index.refresh(archive, { nowMs: Date.now(), onProgress: sparsely(onReport) })
    onReport({ kind: 'done', state })
  }

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const run = async (): Promise<void> => {
    while (!isStopped) {
      const startedMs = performance.now()
      try {
        await look()
      } catch (error) {
        if (!isStopped) onReport({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
      }
      // At most a third of the time goes into this, however large the archive is; but a first build is no measure.
      const tookMs = performance.now() - startedMs
      if (!isStopped) await pause(Math.min(PAUSE_MAX_MS, Math.max(SETTLE_MS, 2 * tookMs)))
      if (isDirty || isStopped) continue
      isIdle = true
      await pause(folders.isBlind ? BLIND_POLL_MS : POLL_MS)
      isIdle = false
      // Whoever writes mostly writes more at once.
      if (isDirty && !isStopped) await pause(SETTLE_MS)
    }
  }

  const running = run()
  return {
    stop: () => {
      isStopped = true
      folders.close()
      wake()
      return running
    },
  }
}

/** What an archive looks like from outside, as one text. */
function seenOf({ projects, problems }: FoundTranscripts): string {
  const files = projects.flatMap((project) => project.files)
  return JSON.stringify([
    files.map(({ path, sizeBytes, modifiedMs, changedMs, identity }) => [
      path,
      sizeBytes,
      modifiedMs,
      changedMs,
      identity,
    ]),
    problems.length,
  ])
}

/** Those in which something was written last come first, in case not all of them can be watched. */
function foldersOf({ roots, projects }: FoundTranscripts): readonly string[] {
  const newest = new Map<string, number>()
  for (const { path, modifiedMs } of projects.flatMap((project) => project.files)) {
    const folder = dirname(path)
    newest.set(folder, Math.max(newest.get(folder) ?? 0, modifiedMs))
  }
  const inOrder = [...newest].sort(([, one], [, other]) => other - one).map(([folder]) => folder)
  return [...new Set([...roots.map((root) => join(root, 'projects')), ...roots, ...inOrder])]
}

function sparsely(onReport: Keeping['onReport']): (doneBytes: number, totalBytes: number) => void {
  let lastMs = Number.NEGATIVE_INFINITY
  return (doneBytes, totalBytes) => {
    const nowMs = performance.now()
    if (nowMs - lastMs < PROGRESS_MS) return
    lastMs = nowMs
    onReport({ kind: 'progress', doneBytes, totalBytes })
  }
}
