// Once a day, whatever command is run: what the client is about to delete is archived by a process of its own, if the user
// said so once. To look whether it is time takes two looks at the disk; nobody waits for the rest.

import { readAuto, takeTurn } from '../archive/auto.ts'
import { ARCHIVING } from '../archive/hook-command.ts'
import { REAL_DISK } from '../disk/real-disk.ts'
import type { World } from './command.ts'
import { ownCommand } from './own-command.ts'

export function startDaily(world: World): void {
  const { environment, nowMs } = world
  // Started by archiving, or by a client that a model of Clew runs in: that must not go round in circles.
  if (environment['CLEW_ARCHIVING'] || environment['CLEW_REENTRY']) return
  const { isOn, roots } = readAuto(REAL_DISK, world)
  if (!isOn || roots.length === 0 || !takeTurn(REAL_DISK, world, nowMs)) return
  const { node, script } = ownCommand()
  const words = [script, 'archive', '--background', '--expiring', ...roots.flatMap((root) => ['--root', root])]
  // Loaded here, because most commands never start one.
  const { spawn } = process.getBuiltinModule('node:child_process')
  const child = spawn(node, words, { stdio: 'ignore', detached: true, env: { ...environment, [ARCHIVING]: '1' } })
  // Without it nothing is lost: tomorrow is another day, and `clew doctor` tells.
  child.on('error', () => undefined)
  child.unref()
}
