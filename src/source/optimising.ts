// When V8 makes fast code of what runs often. A short command is over before that has paid, a first index is not. The flag and
// its usual value are those of the V8 in Node 20; one that does not know it would say so on standard error, and that of
// Node 24 does not.

const isKnown = process.versions.node.startsWith('20.')

export type SetFlags = (flags: string) => void

export function optimiseLate(set: SetFlags): void {
  if (isKnown) set('--interrupt-budget=1000000')
}

export function optimiseAsUsual(set: SetFlags): void {
  if (isKnown) set('--interrupt-budget=67584')
}
