// Ingests that are killed, and what they leave behind.

import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { FoundTranscripts } from '../../src/load/found.ts'
import { openDatabase } from '../../src/search/database.ts'
import { takeLock } from '../../src/search/lock.ts'
import { planIngest } from '../../src/search/plan.ts'
import type { IngestSizes } from '../../src/search/sizes.ts'
import { staleProjects } from '../../src/search/stale.ts'
import { command, environment, projectFolder } from '../cli/run.ts'

export interface Ingest {
  readonly index: string
  readonly root: string
  /** Null for the command itself, with the sizes it has. */
  readonly sizes: Partial<IngestSizes> | null
}

export interface Ran {
  /** Since it was ready to begin. */
  readonly tookMs: number
  /** False when it had come to its end before. */
  readonly wasKilled: boolean
  /** It had the lock when it was killed. */
  readonly wasIngesting: boolean
}

export interface Kill {
  /** When it begins, or when it has read everything and has only the merge and the weaving left to do. */
  readonly from: 'ready' | 'read'
  readonly afterMs: number
}

/** Without a kill it comes to its end. */
export async function runIngest({ index, root, sizes }: Ingest, kill: Kill | null): Promise<Ran> {
  const dist = join(dirname(command), '..')
  const words =
    sizes === null
      ? [command, 'list', '--json', '--root', root]
      : [join(projectFolder, 'test', 'search', 'ingest-once.mjs'), dist, index, root, JSON.stringify(sizes)]
  const env = environment({ XDG_CACHE_HOME: dirname(dirname(index)) })
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.on('data', (bytes) => (said += bytes))
  let out = ''
  const isReady = new Promise<void>((resolve) =>
    child.stdout.on('data', (bytes) => {
      out += bytes
      if (out.includes(`${kill?.from ?? 'ready'}\n`)) resolve()
    }),
  )
  const ended = new Promise<number | null>((resolve) => child.on('close', (status) => resolve(status)))
  // The command itself says nothing before its end.
  if (sizes !== null) await Promise.race([isReady, ended])
  const startedMs = performance.now()
  if (kill !== null) await Promise.race([ended, setTimeout(kill.afterMs)])
  let wasIngesting = false
  if (kill !== null && child.exitCode === null) {
    // It stands still while we look, so that we look at the moment of its death.
    child.kill('SIGSTOP')
    wasIngesting = isLocked(index)
    child.kill('SIGKILL')
  }
  const status = await ended
  if (status !== null && (status !== 0 || said !== '')) throw new Error(`an ingest ended with ${status}: ${said}`)
  return { tookMs: performance.now() - startedMs, wasKilled: status === null, wasIngesting }
}

function isLocked(index: string): boolean {
  if (!existsSync(`${index}.lock`)) return false
  const lock = takeLock(index)
  lock?.release()
  return lock === null
}

/** What it was at, as far as the file tells: what was written and not committed is gone. */
export type Stage = 'reading' | 'merging' | 'weaving' | 'done'

/** Looks at a copy: the one that was left must be found by the next ingest as it is. */
export function lookAtRemains(index: string, archive: FoundTranscripts): Stage {
  const folder = join(dirname(index), 'copy')
  mkdirSync(folder)
  for (const suffix of ['', '-wal']) {
    if (existsSync(index + suffix)) copyFileSync(index + suffix, join(folder, `index.sqlite${suffix}`))
  }
  const database = openDatabase(join(folder, 'index.sqlite'))
  try {
    const checked = database.prepare('PRAGMA integrity_check').all()
    if (JSON.stringify(checked) !== '[{"integrity_check":"ok"}]') throw new Error(JSON.stringify(checked))
    if (existsSync(join(folder, 'index.sqlite.aside'))) throw new Error('what was left is no index')
    const { work, moved, gone, seen } = planIngest(database, archive)
    if (work.length + moved.length + gone.length + seen.length > 0) return 'reading'
    if (database.prepare("SELECT 1 FROM setting WHERE name = 'bulk'").get() !== undefined) return 'merging'
    return staleProjects(database, archive).length > 0 ? 'weaving' : 'done'
  } finally {
    database.close()
    rmSync(folder, { recursive: true })
  }
}
