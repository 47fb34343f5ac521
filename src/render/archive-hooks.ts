// How archiving goes on by itself, and what was changed for it.

import { shortPath } from './list.ts'
import type { Style } from './style.ts'
import { safeName, toJson } from './terminal.ts'

export interface HooksReport {
  readonly changes: readonly {
    readonly change: 'installed' | 'updated' | 'unchanged' | 'removed'
    readonly path: string
    readonly backup: string | null
  }[]
  readonly isAuto: boolean
  readonly autoRoots: readonly string[]
}

export interface HooksLayout {
  readonly style: Style
  readonly home: string
}

export function hooksJson({ changes, isAuto, autoRoots }: HooksReport): string {
  return toJson({ settings: changes, auto: isAuto, autoRoots })
}

const WORDS = {
  installed: 'Hooks were added',
  updated: 'The hooks were brought up to date',
  unchanged: 'Nothing had to be changed',
  removed: 'The hooks were removed',
} as const

export function hooksText({ changes, isAuto, autoRoots }: HooksReport, { style, home }: HooksLayout): string {
  const short = (path: string): string => shortPath(safeName(path), home)
  const lines = changes.flatMap(({ change, path, backup }) => [
    `${style.bold(WORDS[change])} in ${short(path)}.`,
    ...(backup === null || change === 'unchanged' ? [] : [style.dim(`As it was before: ${short(backup)}`)]),
  ])
  if (changes.some(({ change }) => change === 'installed' || change === 'updated')) {
    lines.push(
      'When a session ends, and before it is compacted, it is archived in the background. A client that runs may have to be started anew.',
    )
  }
  const auto = isAuto
    ? `Auto is on: once a day, any clew command archives in the background what is about to expire in ${autoRoots.map(short).join(', ')}.`
    : 'Auto is off. To archive what is about to expire without hooks: clew archive auto on'
  return [...lines, auto].join('\n')
}
