// When V8 makes fast code of what runs often. A short command is over before that has paid, a first index is not. The flag and
// its usual value are those of the V8 in Node 20; one that does not know it would say so on standard error, and that of
// Node 24 does not.

const isKnown = process.versions.node.startsWith('20.')

/** What starts a command and the command itself are bundled apart, and each has this module for itself. */
const LATE = Symbol.for('clew: V8 makes fast code late')
const shared = process as { [LATE]?: boolean }

export type SetFlags = (flags: string) => void

export function optimiseLate(set: SetFlags): void {
  if (!isKnown) return
  set('--interrupt-budget=1000000')
  shared[LATE] = true
}

export function optimiseAsUsual(set: SetFlags): void {
  if (shared[LATE] !== true) return
  set('--interrupt-budget=67584')
  shared[LATE] = false
}

export function isLate(): boolean {
  return shared[LATE] === true
}
