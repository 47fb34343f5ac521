// Whether somebody looks at standard output or standard error. To ask a stream means to make it, which takes longer than
// most of a command; for a file, a pipe or /dev/null nobody needs it.

import { fstatSync } from 'node:fs'
import { nodePart } from '../source/node-part.ts'

export function isTerminal(fd: 1 | 2): boolean {
  if (!mayBeTerminal(fd)) return false
  const asked = nodePart<{ readonly isTTY: (fd: number) => boolean }>('tty_wrap')?.isTTY?.(fd)
  return asked ?? (fd === 1 ? process.stdout : process.stderr).isTTY === true
}

function mayBeTerminal(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice()
  } catch {
    return true
  }
}
