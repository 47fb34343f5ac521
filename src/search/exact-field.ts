import type { Envelope } from '../record/model.ts'
import type { DocKind } from './docs.ts'
import type { SearchField } from './model.ts'

const TITLES: ReadonlySet<string> = new Set(['custom-title', 'ai-title', 'summary'])

/** Where in a conversation a text stands, told from the record and the path inside it. */
export function fieldOf(envelope: Envelope | null, path: string): SearchField {
  if (envelope === null) return 'tools'
  if (TITLES.has(envelope.type)) return 'titles'
  if (envelope.kind === 'prompt') return envelope.author === 'human' ? 'prompts' : 'replies'
  if (envelope.kind !== 'reply') return isTyped(envelope, path) ? 'prompts' : 'tools'
  if (/\.thinking$/.test(path)) return 'thinking'
  if (/\.input\.command$/.test(path)) return 'commands'
  if (/\.input\.(?:file_path|notebook_path|path)$/.test(path)) return 'files'
  return /\.input\b|^toolInput/.test(path) ? 'tools' : 'replies'
}

export function kindOf(envelope: Envelope | null): DocKind {
  switch (envelope?.kind) {
    case 'prompt':
      return 'prompt'
    case 'reply':
      return envelope.toolUses.length > 0 ? 'call' : 'reply'
    case 'tool-result':
      return 'result'
    default:
      return envelope?.type === 'queue-operation' ? 'queued' : 'harness'
  }
}

function isTyped({ injection, type }: Envelope, path: string): boolean {
  if (type === 'last-prompt') return path === 'lastPrompt'
  return injection === 'command' || injection === 'shell' || type === 'queue-operation'
}
