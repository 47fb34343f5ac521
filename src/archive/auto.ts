// What the user said once: that any command may archive, in the background, what is about to be deleted. And when that was
// done last, so that it happens once a day.

import { isAbsolute, join } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { makeFolders, readWhole, replaceFile } from '../disk/durable.ts'
import type { ArchivePlace } from './open-archive.ts'

export interface AutoSetting {
  readonly isOn: boolean
  /** Claude directories. */
  readonly roots: readonly string[]
}

/** How the last run in the background went, for whoever asks: nobody was there to be told. */
export interface LastRun {
  readonly endedMs: number
  readonly failure: string | null
}

const OFF: AutoSetting = { isOn: false, roots: [] }
const DAY_MS = 86_400_000

export function readAuto(disk: Disk, place: ArchivePlace): AutoSetting {
  const said = readObject(disk, settingPath(place))
  const roots = said?.['roots']
  if (said?.['auto'] !== true || !Array.isArray(roots)) return OFF
  return { isOn: true, roots: roots.filter((root): root is string => typeof root === 'string') }
}

export async function writeAuto(disk: Disk, place: ArchivePlace, { isOn, roots }: AutoSetting): Promise<string> {
  const path = settingPath(place)
  await makeFolders(disk, join(path, '..'))
  await replaceFile(disk, path, Buffer.from(`${JSON.stringify({ auto: isOn, roots }, null, 2)}\n`))
  return path
}

/** Whether it is time, and marks that it was: false as well where that cannot be marked. */
export function takeTurn(disk: Disk, place: ArchivePlace, nowMs: number): boolean {
  const path = join(cacheFolder(place), 'archive.daily')
  try {
    const last = disk.stat(path)?.modifiedMs
    // A clock that was set back must not put it off for ever.
    if (last !== undefined && Math.abs(nowMs - last) < DAY_MS) return false
    if (last === undefined) {
      for (const folder of [join(cacheFolder(place), '..'), cacheFolder(place)]) disk.makeFolder(folder)
      disk.close(disk.openToAppend(path, false))
    }
    disk.setModified(path, nowMs)
    return true
  } catch (error) {
    if (error instanceof Error) return false
    throw error
  }
}

export function readLastRun(disk: Disk, folder: string): LastRun | null {
  const said = readObject(disk, join(folder, LAST))
  const [endedMs, failure] = [said?.['endedMs'], said?.['failure']]
  if (typeof endedMs !== 'number') return null
  return { endedMs, failure: typeof failure === 'string' ? failure : null }
}

export async function writeLastRun(disk: Disk, folder: string, run: LastRun): Promise<void> {
  await replaceFile(disk, join(folder, LAST), Buffer.from(JSON.stringify(run)))
}

const LAST = 'archive.last.json'

function settingPath({ environment, home }: ArchivePlace): string {
  const named = environment['XDG_CONFIG_HOME']
  return join(named !== undefined && isAbsolute(named) ? named : join(home, '.config'), 'clew', 'archive.json')
}

function cacheFolder({ environment, home }: ArchivePlace): string {
  const named = environment['XDG_CACHE_HOME']
  return join(named !== undefined && isAbsolute(named) ? named : join(home, '.cache'), 'clew')
}

function readObject(disk: Disk, path: string): Readonly<Record<string, unknown>> | null {
  try {
    if (disk.stat(path) === null) return null
    const said: unknown = JSON.parse(readWhole(disk, path).toString('utf8'))
    return typeof said === 'object' && said !== null ? (said as Readonly<Record<string, unknown>>) : null
  } catch (error) {
    // Not to be read is as good as not said.
    if (error instanceof Error) return null
    throw error
  }
}
