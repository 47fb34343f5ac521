// The few texts of a transcript that a list needs, gathered while the Bodies pass by: titles and the first prompt.
// The rules are those of the official SDK's listing, found out by experiment (docs/format/titles.md).

import { excerpt } from '../base/text.ts'
import { list, object, text } from './fields.ts'
import type { Body, Envelope } from './model.ts'

export interface Labels {
  /** '' where it was taken away. */
  readonly customTitle: string | null
  readonly aiTitle: string | null
  readonly lastPrompt: string | null
  readonly summary: string | null
  readonly firstPrompt: string | null
  /** A slash command or shell command that stands in for a first prompt when there is no other. */
  readonly firstCommand: string | null
  /** What the first prompt without a text came with. */
  readonly firstFile: 'Image' | 'Document' | null
  readonly tag: string | null
}

export type LabelGathering = { -readonly [Key in keyof Labels]: Labels[Key] }

export function newLabels(): LabelGathering {
  return {
    customTitle: null,
    aiTitle: null,
    lastPrompt: null,
    summary: null,
    firstPrompt: null,
    firstCommand: null,
    firstFile: null,
    tag: null,
  }
}

const LABEL_LENGTH_MAX = 4096
const FIRST_PROMPT_LENGTH_MAX = 200

export function gatherLabels(labels: LabelGathering, envelope: Envelope, body: Body): void {
  switch (envelope.type) {
    case 'user':
    case 'message':
      if (labels.firstPrompt === null && isFirstPromptCandidate(envelope)) gatherFirstPrompt(labels, envelope, body)
      return
    case 'custom-title':
      labels.customTitle = newest(body['customTitle'], labels.customTitle)
      return
    case 'ai-title':
      labels.aiTitle = newest(body['aiTitle'], labels.aiTitle) || null
      return
    case 'last-prompt':
      labels.lastPrompt = newest(body['lastPrompt'], labels.lastPrompt) || null
      return
    case 'summary':
      labels.summary = newest(body['summary'], labels.summary) || null
      return
    case 'tag':
      labels.tag = newest(body['tag'], labels.tag) || null
      return
    default:
      return
  }
}

/** The last one counts, an empty one clears, one of another kind says nothing. */
function newest(value: unknown, before: string | null): string | null {
  const next = text(value)
  return next === null ? before : excerpt(next, LABEL_LENGTH_MAX)
}

function isFirstPromptCandidate(envelope: Envelope): boolean {
  return !envelope.isMeta && !envelope.isSidechain && (envelope.kind === 'prompt' || envelope.kind === 'injection')
}

function gatherFirstPrompt(labels: LabelGathering, { blocks }: Envelope, body: Body): void {
  if (blocks.includes('image')) labels.firstFile ??= 'Image'
  else if (blocks.includes('document')) labels.firstFile ??= 'Document'
  const message = object(body['message'])
  const content = message === null ? body['content'] : message['content']
  for (const block of typeof content === 'string' ? [content] : (list(content) ?? [])) {
    const value = typeof block === 'string' ? block : text(object(block)?.['text'])
    if (value === null) continue
    const line = value
      .trimStart()
      .slice(0, 8 * FIRST_PROMPT_LENGTH_MAX)
      .replaceAll('\n', ' ')
      .trim()
    if (line === '' || line.startsWith('[Request interrupted by user')) continue
    const command = /<command-name>\s*([^<]*?)\s*<\/command-name>/.exec(line)?.[1]
    if (command !== undefined) {
      if (command !== '') labels.firstCommand ??= command
      continue
    }
    const shell = /^<bash-input>([\s\S]*?)(?:<\/bash-input>|$)/.exec(line)?.[1]
    if (shell !== undefined) {
      labels.firstPrompt = shorten(`! ${shell.trim()}`)
      return
    }
    if (/^<[a-z][\w-]*[\s>]/.test(line)) continue
    labels.firstPrompt = shorten(line)
    return
  }
}

function shorten(line: string): string {
  return line.length <= FIRST_PROMPT_LENGTH_MAX ? line : `${excerpt(line, FIRST_PROMPT_LENGTH_MAX).trim()}…`
}
