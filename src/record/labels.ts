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

/** The official SDK looks at so much of a file at its beginning, and at its end. */
const SEEN_BYTES = 1 << 16

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

/**
 * What still counts at the end of a file. A last prompt that is far from it is not the last any more. So far a summary is
 * the title of this session only if it names a record of it: old clients began a file with those of other sessions.
 */
export function labelsInForce(labels: Labels, envelopes: readonly Envelope[], sizeBytes: number): Labels {
  const lastOf = (type: string): Envelope | undefined => envelopes.findLast((envelope) => envelope.type === type)
  const isFar = (envelope: Envelope | undefined): boolean =>
    envelope !== undefined && envelope.offset < sizeBytes - SEEN_BYTES
  const { lastPrompt, summary } = labels
  if (sizeBytes <= SEEN_BYTES || (lastPrompt === null && summary === null)) return labels
  const titled = summary === null ? undefined : lastOf('summary')
  const leafUuid = titled?.links?.leafUuid
  const isOwn = (): boolean => leafUuid !== undefined && envelopes.some(({ uuid }) => uuid === leafUuid)
  return {
    ...labels,
    lastPrompt: lastPrompt !== null && isFar(lastOf('last-prompt')) ? null : lastPrompt,
    summary: isFar(titled) && !isOwn() ? null : summary,
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

function gatherFirstPrompt(labels: LabelGathering, { offset, length, blocks }: Envelope, body: Body): void {
  // A text from far down does not take the place of the command that the session began with.
  if (labels.firstCommand !== null && offset + length > SEEN_BYTES) return
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
