// A Reading as text for a terminal: Prompts stand out, a tool call is one line, what the harness wrote is muted,
// compactions are rules across the page and subagents are indented below the call that started them.

import { assertUnreachable } from '../base/assert.ts'
import type { Part, ReplyBlock, ToolPart } from '../conversation/parts.ts'
import { typedLine, untagged } from '../conversation/typed.ts'
import type { Style } from './style.ts'
import { safe, safeLine, safeName } from './terminal.ts'
import { tokensAroundText } from './tokens-around.ts'
import { iso } from './units.ts'
import { cutTo, expandTabs, widthOf } from './width.ts'

export type Include = 'thinking' | 'tools' | 'injections' | 'subagents'

export interface ShowLayout {
  readonly columns: number
  readonly style: Style
  readonly include: ReadonlySet<Include>
  /** The text of a subagent's own Reading, indented by the caller's depth; null when it has no file. */
  readonly subagent: (agentId: string) => string | null
}

export function turnHead(number: number, startedMs: number | null, layout: ShowLayout): string {
  const time = iso(startedMs)
    ?.replace('T', ' ')
    .replace(/:\d\d\.\d+Z$/, '')
  return layout.style.dim(
    `── ${number}${time === undefined ? '' : `  ${time}`} `.padEnd(Math.min(layout.columns, 100), '─'),
  )
}

/** The lines of one part; none for what is not asked for. */
export function partText(part: Part, layout: ShowLayout): string | null {
  const { style } = layout
  switch (part.kind) {
    case 'prompt': {
      const images = part.images === 0 ? '' : ` [${part.images === 1 ? 'image' : `${part.images} images`}]`
      const queued = part.isQueued ? style.dim(' (sent while it was working)') : ''
      return `${style.prompt(`❯ ${safe(part.text).trim()}${images}`)}${queued}`
    }
    case 'reply':
      return isFiller(part) && !layout.include.has('injections') ? null : replyText(part.blocks, layout)
    case 'injection':
      if (TYPED.has(part.injection)) return typedText(part.injection, part.text, layout)
      if (part.injection === 'interrupt') return style.dim(safeLine(part.text))
      if (!layout.include.has('injections')) return null
      return style.dim(oneLine(`System (${part.injection})`, part.text, layout))
    case 'system':
      if (part.subtype === 'local_command') return typedText(part.subtype, part.text, layout)
      if (!layout.include.has('injections') && part.subtype !== 'api_error') return null
      return style.dim(oneLine(`System (${safeLine(part.subtype ?? 'note')})`, part.text, layout))
    case 'recap':
      return style.dim(oneLine('Recap written by the client', part.text, layout))
    case 'tool-result':
      return style.note(oneLine('Result without a call', part.text, layout))
    case 'boundary':
      return boundaryText(part, layout)
    case 'attachment':
    case 'progress':
      return null
    case 'unknown':
      return layout.include.has('injections')
        ? style.dim(`Unknown record: ${safeLine(part.type) || '(no type)'}`)
        : null
    default:
      return assertUnreachable(part)
  }
}

/** What the client puts where an answer is missing when it resumes: nobody said it. */
function isFiller({ model, blocks }: Extract<Part, { kind: 'reply' }>): boolean {
  return model === '<synthetic>' && blocks.every((one) => one.kind === 'text' && one.text === 'No response requested.')
}

const TYPED: ReadonlySet<string> = new Set(['command', 'command-output', 'shell'])

/** The client writes down slash commands and shell lines, but a person typed them: they are shown as Prompts are. */
function typedText(kind: string, text: string, layout: ShowLayout): string | null {
  const typed = typedLine(text)
  if (typed !== null) return layout.style.prompt(`❯ ${safe(typed).trim()}`)
  const printed = untagged(text)
  if (printed === '') return null
  return layout.style.dim(
    layout.include.has('tools')
      ? indent(expandTabs(safe(printed)), '      ')
      : oneLine(`System (${safeLine(kind)})`, printed, layout),
  )
}

function replyText(blocks: readonly ReplyBlock[], layout: ShowLayout): string | null {
  const lines: string[] = []
  for (const block of blocks) {
    if (block.kind === 'text') {
      if (block.text.trim() !== '') lines.push(safe(block.text).trim())
    } else if (block.kind === 'thinking') {
      if (layout.include.has('thinking')) lines.push(layout.style.dim(thinkingText(block)))
    } else if (block.kind === 'tool') {
      lines.push(...toolText(block.call, layout))
    } else lines.push(layout.style.dim(`[${safeLine(block.type)}]`))
  }
  return lines.length === 0 ? null : lines.join('\n')
}

function thinkingText(block: { readonly text: string; readonly isStored: boolean }): string {
  return block.isStored ? `Thinking: ${safe(block.text).trim()}` : 'Thinking: not stored by the client'
}

const MARKS = { ok: '✓', error: '✗', denied: '⊘', interrupted: '⊘', pending: '…' } as const

function toolText(call: ToolPart, layout: ShowLayout): readonly string[] {
  const { style, columns } = layout
  const mark = MARKS[call.status]
  const paint = call.status === 'ok' ? style.good : call.status === 'pending' ? style.dim : style.bad
  const name = safeLine(call.name) || 'tool'
  const title = cutTo(safeLine(call.title), Math.max(10, columns - widthOf(name) - 5))
  const lines = [`  ${paint(mark)} ${style.bold(name)} ${title}`.trimEnd()]
  const isWhole = layout.include.has('tools')
  if (!isWhole && (call.status === 'error' || call.status === 'denied')) {
    const reason = safeLine(call.result?.text ?? '')
    if (reason !== '') lines.push(style.dim(`      ${cutTo(reason, columns - 6)}`))
  }
  if (isWhole) {
    if (call.result !== null && call.result.text !== '')
      lines.push(style.dim(indent(expandTabs(safe(call.result.text)), '      ')))
    if (call.spillPath !== null) lines.push(style.dim(`      whole output: ${safeName(call.spillPath)}`))
  }
  if (call.agentId !== null) {
    lines.push(style.dim(`      subagent ${safeName(call.agentId)}`))
    const inner = layout.include.has('subagents') ? layout.subagent(call.agentId) : null
    if (inner !== null) lines.push(indent(inner, '    │ '))
  }
  return lines
}

function boundaryText(part: Extract<Part, { kind: 'boundary' }>, layout: ShowLayout): string {
  const { style, columns } = layout
  const tokens = tokensAroundText(part)
  const what = part.isMicro
    ? 'tool output cleared'
    : `compacted${part.trigger === null ? '' : ` (${safeLine(part.trigger)})`}`
  return style.note(`━━ ${what}${tokens === null ? '' : `, ${tokens}`} `.padEnd(Math.min(columns, 100), '━'))
}

function oneLine(lead: string, text: string, layout: ShowLayout): string {
  const said = safeLine(text)
  return cutTo(said === '' ? lead : `${lead}: ${said}`, Math.max(20, layout.columns))
}

export function indent(text: string, by: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? by.trimEnd() : by + line))
    .join('\n')
}
