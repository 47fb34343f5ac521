// What an export leaves in and out. Compact is for reading: Prompts whole, Claude condensed. Full is everything but what
// the client tells the model behind the user's back, which nobody in the conversation said.

import type { InjectionKind } from '../../record/model.ts'

export type Detail = 'compact' | 'full'
export type ImageMode = 'placeholder' | 'embedded' | 'referenced'

export const PARTS = ['thinking', 'tools', 'injections', 'subagents', 'images', 'recaps', 'client'] as const
export type PartName = (typeof PARTS)[number]

export interface Choice {
  readonly detail: Detail
  readonly thinking: boolean
  readonly tools: 'none' | 'lines' | 'whole'
  readonly injections: 'none' | 'few' | 'all'
  readonly subagents: boolean
  readonly images: ImageMode | 'none'
  readonly recaps: boolean
  /** The client's own prompt texts: reminders, hooks, listings, its snapshot of the system prompt. */
  readonly client: boolean
}

export function chooseParts(
  detail: Detail,
  include: readonly PartName[],
  exclude: readonly PartName[],
  images: ImageMode,
): Choice {
  const isFull = detail === 'full'
  const wants = (part: PartName, byDefault: boolean): boolean =>
    !exclude.includes(part) && (byDefault || include.includes(part))
  return {
    detail,
    thinking: wants('thinking', isFull),
    tools: exclude.includes('tools') ? 'none' : wants('tools', isFull) ? 'whole' : 'lines',
    injections: exclude.includes('injections') ? 'none' : wants('injections', isFull) ? 'all' : 'few',
    subagents: wants('subagents', isFull),
    images: wants('images', true) ? images : 'none',
    recaps: wants('recaps', isFull),
    client: wants('client', false),
  }
}

/** Everything there is: what a program may want. */
export const EVERYTHING: Choice = chooseParts('full', PARTS, [], 'placeholder')

/** Things that happened, as against texts that were slipped in. */
const EVENTFUL: ReadonlySet<InjectionKind> = new Set(['command', 'shell', 'interrupt'])
const OFTEN: ReadonlySet<InjectionKind> = new Set(['command-output', 'task-notification', 'coordinator'])

export function showsInjection(kind: InjectionKind, choice: Choice): boolean {
  if (choice.injections === 'none') return false
  if (EVENTFUL.has(kind)) return true
  return OFTEN.has(kind) ? choice.injections === 'all' : choice.client && choice.injections === 'all'
}

const SYSTEM_SELDOM: ReadonlySet<string> = new Set(['turn_duration', 'stop_hook_summary'])

export function showsSystem(subtype: string | null, choice: Choice): boolean {
  if (subtype === 'api_error') return true
  if (choice.injections === 'none') return false
  if (subtype === 'local_command') return true
  return choice.injections === 'all' && (choice.client || !SYSTEM_SELDOM.has(subtype ?? ''))
}

const OPENING = '<system-reminder>'
const CLOSING = '</system-reminder>'

/** Reminders are written into prompts and tool results too. What is left has no trace of them. */
export function withoutReminders(text: string): string {
  if (!text.includes(OPENING)) return text
  let kept = ''
  let from = 0
  for (;;) {
    const start = text.indexOf(OPENING, from)
    const end = start < 0 ? -1 : text.indexOf(CLOSING, start)
    if (end < 0) return (kept + text.slice(from)).trimEnd()
    kept += text.slice(from, start).trimEnd()
    from = end + CLOSING.length
  }
}

/**
 * A title that was made from a prompt may hold the beginning of a reminder. Where it was cut it may hold the beginning of
 * a Secret, which nobody would know for one: the word that was cut goes.
 */
export function exportedTitle(title: string, choice: Choice): string {
  const whole = title.replace(/\S*…$/, '…')
  const start = choice.client ? -1 : whole.indexOf(OPENING)
  return start < 0 ? whole : whole.slice(0, start).trimEnd()
}
