// The few texts of a transcript that a list needs, gathered while the Bodies pass by: titles and the first prompt.
// The rules are those of the official SDK's listing, found out by experiment (docs/format/titles.md).

import { excerpt } from '../base/text.ts'
import { list, object, text } from './fields.ts'
import type { Body, Envelope } from './model.ts'

export interface Labels {
  readonly customTitle: string | null
  readonly aiTitle: string | null
  readonly lastPrompt: string | null
  readonly summary: string | null
  readonly firstPrompt: string | null
  /** A slash command or shell command that stands in for a first prompt when there is no other. */
  readonly firstCommand: string | null
  readonly hasFirstImage: boolean
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
    hasFirstImage: false,
    tag: null,
  }
}

const LABEL_LENGTH_MAX = 4096
const FIRST_PROMPT_LENGTH_MAX = 200

export function gatherLabels(labels: LabelGathering, envelope: Envelope, body: Body): void {
  switch (envelope.type) {
    case 'user':
    case 'message':
      if (labels.firstPrompt === null && isFirstPromptCandidate(envelope)) gatherFirstPrompt(labels, body)
      return
    case 'custom-title':
      labels.customTitle = label(body['customTitle'], labels.customTitle)
      return
    case 'ai-title':
      labels.aiTitle = label(body['aiTitle'], labels.aiTitle)
      return
    case 'last-prompt':
      labels.lastPrompt = label(body['lastPrompt'], labels.lastPrompt)
      return
    case 'summary':
      labels.summary = label(body['summary'], labels.summary)
      return
    case 'tag':
      labels.tag = label(body['tag'], labels.tag)
      return
    default:
      return
  }
}

/** The last one counts, an empty one clears, one of another kind says nothing. */
function label(value: unknown, before: string | null): string | null {
  const next = text(value)
  if (next === null) return before
  return next === '' ? null : excerpt(next, LABEL_LENGTH_MAX)
}

function isFirstPromptCandidate(envelope: Envelope): boolean {
  return !envelope.isMeta && !envelope.isSidechain && (envelope.kind === 'prompt' || envelope.kind === 'injection')
}

function gatherFirstPrompt(labels: LabelGathering, body: Body): void {
  const message = object(body['message'])
  const content = message === null ? body['content'] : message['content']
  for (const block of typeof content === 'string' ? [content] : (list(content) ?? [])) {
    const value = typeof block === 'string' ? block : text(object(block)?.['text'])
    if (value === null) {
      if (object(block)?.['type'] === 'image') labels.hasFirstImage = true
      continue
    }
    const line = value
      .slice(0, 8 * FIRST_PROMPT_LENGTH_MAX)
      .replaceAll('\n', ' ')
      .trim()
    if (line === '' || line.startsWith('[Request interrupted by user')) continue
    const command = /<command-name>\s*([^<]*?)\s*<\/command-name>/.exec(line)?.[1]
    if (command !== undefined) {
      labels.firstCommand ??= command
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
