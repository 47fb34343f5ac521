// `clew archive install`, `uninstall` and `auto`: what has to be said once so that archiving goes on by itself.

import { join } from 'node:path'
import { readAuto, writeAuto } from '../archive/auto.ts'
import { hookCommand } from '../archive/hook-command.ts'
import { SettingsError } from '../archive/hooks.ts'
import type { HooksChange } from '../archive/settings-file.ts'
import { installHooks, uninstallHooks } from '../archive/settings-file.ts'
import { systemCode } from '../base/system-code.ts'
import { REAL_DISK } from '../disk/real-disk.ts'
import { hooksJson, hooksText } from '../render/archive-hooks.ts'
import type { ArchiveDeed, ArchiveValues } from './archive.ts'
import { claudeFolders } from './archive-folders.ts'
import type { World } from './command.ts'
import { nothingNote } from './command.ts'
import { Failure } from './failure.ts'
import { ownCommand } from './own-command.ts'

export const archiveInstall: ArchiveDeed = async (names, values, world) => {
  if (names.length > 0) throw new Failure(`archive install takes no “${names[0]}”. Try: clew archive --help`)
  const roots = foldersFor(values, world)
  const { node, script } = ownCommand()
  const dataFolder = world.environment['XDG_DATA_HOME'] ?? null
  const changes: HooksChange[] = []
  for (const root of roots) {
    const command = hookCommand({ node, script, root, dataFolder })
    changes.push(await edited(root, () => installHooks(REAL_DISK, root, command, world.nowMs)))
  }
  if (values.auto) await writeAuto(REAL_DISK, world, { isOn: true, roots })
  if (script.includes('/_npx/')) {
    world.output.note('clew: this clew lies in the cache of npx, and may be gone one day. Better: npm install -g clew')
  }
  return tell(changes, values, world)
}

export const archiveUninstall: ArchiveDeed = async (names, values, world) => {
  if (names.length > 0) throw new Failure(`archive uninstall takes no “${names[0]}”. Try: clew archive --help`)
  const changes: HooksChange[] = []
  for (const root of foldersFor(values, world)) {
    changes.push(await edited(root, () => uninstallHooks(REAL_DISK, root)))
  }
  return tell(changes, values, world)
}

export const archiveAuto: ArchiveDeed = async (names, values, world) => {
  const [word] = names
  if (names.length > 1 || (word !== undefined && word !== 'on' && word !== 'off')) {
    throw new Failure('auto is “on” or “off”: clew archive auto on')
  }
  if (word !== undefined) {
    const roots = word === 'on' ? foldersFor(values, world) : []
    await writeAuto(REAL_DISK, world, { isOn: word === 'on', roots })
  }
  return tell([], values, world)
}

function foldersFor({ root }: ArchiveValues, world: World): readonly string[] {
  const roots = claudeFolders(root, world)
  if (roots.length === 0) throw new Failure(nothingNote([], world).replace(/^clew: /, ''))
  return roots
}

function tell(changes: readonly HooksChange[], values: ArchiveValues, world: World): number {
  const { output, home } = world
  const auto = readAuto(REAL_DISK, world)
  const report = { changes, isAuto: auto.isOn, autoRoots: auto.roots }
  output.print(values.json ? hooksJson(report) : hooksText(report, { style: output.style, home }))
  return 0
}

async function edited(root: string, act: () => Promise<HooksChange>): Promise<HooksChange> {
  try {
    return await act()
  } catch (error) {
    const code = systemCode(error)
    const reason = error instanceof SettingsError ? error.message : code
    if (reason === null) throw error
    throw new Failure(`${join(root, 'settings.json')} was left as it is: ${reason}`)
  }
}
