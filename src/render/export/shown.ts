// Words that every writer uses for the same thing.

import type { ToolStatus } from '../../conversation/model.ts'
import { safeLine } from '../terminal.ts'
import { tokensAroundText } from '../tokens-around.ts'
import { counted, size } from '../units.ts'
import { cutTo } from '../width.ts'
import type { Choice } from './choice.ts'
import { imageBytes, shownKind } from './images.ts'
import type { CallView, Changed, ImageContent, TurnView, View } from './view.ts'

export const MARKS: Readonly<Record<ToolStatus, string>> = {
  ok: '✓',
  error: '✗',
  denied: '⊘',
  interrupted: '⊘',
  pending: '…',
}

const NAME_COLUMNS = 90

/** The first line of what was asked, to find a Turn by. */
export function promptName(text: string): string {
  return cutTo(safeLine(text.trim().split('\n', 1)[0] ?? ''), NAME_COLUMNS) || '(no prompt)'
}

export function boundaryText(view: Extract<View, { kind: 'boundary' }>): string {
  const { isMicro, trigger } = view
  const what = isMicro ? 'Tool output cleared' : `Compacted${trigger === null ? '' : ` (${safeLine(trigger)})`}`
  const tokens = tokensAroundText(view)
  return tokens === null ? what : `${what}: ${tokens}`
}

export function imageName(image: ImageContent | undefined): string {
  if (image === undefined) return 'image'
  const kind = shownKind(image)
  return `image${kind === null ? '' : `: ${kind.toUpperCase()}, ${size(imageBytes(image))}`}`
}

/** `12 Read, 3 Bash (1 failed)`. */
export function callCounts(calls: readonly CallView[]): string {
  const names = new Map<string, number>()
  for (const { name } of calls) names.set(name, (names.get(name) ?? 0) + 1)
  const failed = calls.filter(({ status }) => status === 'error').length
  const told = [...names].sort(([, one], [, other]) => other - one).map(([name, times]) => `${times} ${safeLine(name)}`)
  return `${counted(calls.length, 'tool call')}: ${told.join(', ')}${failed === 0 ? '' : ` (${failed} failed)`}`
}

/** The files a Turn has changed, each once. */
export function changedFiles({ views }: TurnView): readonly Changed[] {
  const files = new Map<string, Changed>()
  for (const view of views) {
    const changed = view.kind === 'tool' ? view.call.changed : null
    if (changed === null) continue
    const known = files.get(changed.path)
    const { added = 0, removed = 0 } = known ?? {}
    files.set(changed.path, { ...changed, added: added + changed.added, removed: removed + changed.removed })
  }
  return [...files.values()]
}

/** Where an image goes that is not left out: nowhere, into the document, or into a file beside it. */
export interface ImagePlaces {
  readonly mode: Choice['images']
  readonly image: (number: number) => ImageContent | undefined
  /** The address of the file an image is written to. */
  readonly reference: (number: number) => string
}

const BY_CLAUDE: ReadonlySet<View['kind']> = new Set(['text', 'thinking', 'tool'])

/** Who speaks from here on, where that changes: a quotation by Claude looks like a prompt. */
export function speakerOf({ kind }: View, before: Speaker | null): Speaker | null {
  if (kind === 'prompt') return 'Prompt'
  return BY_CLAUDE.has(kind) && before !== 'Claude' ? 'Claude' : null
}

export type Speaker = 'Prompt' | 'Claude'
