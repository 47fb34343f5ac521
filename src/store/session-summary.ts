// What the official SDK lists of a session. The state is the SDK's own (`foldSessionSummary`), made here from the records
// so that a listing needs no SDK: some fields stay as they were first seen, others follow the last record that has them.

import { list, object, text } from '../record/fields.ts'
import type { Body } from '../record/model.ts'

export interface SessionSummary {
  readonly sessionId: string
  readonly mtime: number
  readonly data: Readonly<Record<string, unknown>>
}

interface Folded {
  isSidechain?: boolean
  createdAt?: number
  cwd?: string
  commandFallback?: string
  firstPrompt?: string
  firstPromptLocked?: boolean
  customTitle?: string
  aiTitle?: string
  lastPrompt?: string
  summaryHint?: string
  gitBranch?: string
  tag?: string
}

const LAST_WINS = [
  ['customTitle', 'customTitle'],
  ['aiTitle', 'aiTitle'],
  ['lastPrompt', 'lastPrompt'],
  ['summary', 'summaryHint'],
  ['gitBranch', 'gitBranch'],
] as const

const PROMPT_LENGTH_MAX = 200
/** What the harness wrote in the user's name is no prompt. */
const NOT_TYPED = /^(?:\s*<[a-z][\w-]*[\s>]|\[Request interrupted by user[^\]]*\])/

export function summarize(sessionId: string, mtime: number, records: Iterable<Body>): SessionSummary {
  const folded: Folded = {}
  for (const record of records) foldRecord(folded, record)
  return { sessionId, mtime, data: { ...folded } }
}

function foldRecord(folded: Folded, record: Body): void {
  folded.isSidechain ??= record['isSidechain'] === true
  if (folded.createdAt === undefined) {
    const createdAt = Date.parse(text(record['timestamp']) ?? '')
    if (!Number.isNaN(createdAt)) folded.createdAt = createdAt
  }
  const cwd = text(record['cwd'])
  if (cwd) folded.cwd ??= cwd
  if (folded.firstPromptLocked !== true) foldFirstPrompt(folded, record)
  for (const [from, to] of LAST_WINS) {
    const value = text(record[from])
    if (value !== null) folded[to] = value
  }
  if (record['type'] === 'tag') {
    const tag = text(record['tag'])
    if (tag) folded.tag = tag
    else delete folded.tag
  }
  const relocatedCwd = record['type'] === 'relocated' ? text(record['relocatedCwd']) : null
  if (relocatedCwd) folded.cwd = relocatedCwd
}

function foldFirstPrompt(folded: Folded, record: Body): void {
  for (const spoken of textsOf(record)) {
    const line = spoken.replaceAll('\n', ' ').trim()
    if (line === '') continue
    const command = /<command-name>(.*?)<\/command-name>/.exec(line)?.[1]
    if (command !== undefined) {
      if (command !== '') folded.commandFallback ??= command
      continue
    }
    const shell = /<bash-input>([\s\S]*?)<\/bash-input>/.exec(line)?.[1]
    if (shell === undefined && NOT_TYPED.test(line)) continue
    folded.firstPrompt = shell === undefined ? shorten(line) : `! ${shell.trim()}`
    folded.firstPromptLocked = true
    return
  }
}

/** None of a record in which no person speaks. */
function textsOf(record: Body): readonly string[] {
  if (record['type'] !== 'user' || record['isMeta'] === true || record['isCompactSummary'] === true) return []
  const content = object(record['message'])?.['content']
  if (typeof content === 'string') return [content]
  const blocks = (list(content) ?? []).map(object).filter((block) => block !== null)
  if (blocks.some((block) => block['type'] === 'tool_result')) return []
  return blocks.flatMap((block) => (block['type'] === 'text' ? (text(block['text']) ?? []) : []))
}

function shorten(line: string): string {
  if (line.length <= PROMPT_LENGTH_MAX) return line
  const cut = line.slice(0, PROMPT_LENGTH_MAX)
  const isSplit = /[\ud800-\udbff]$/.test(cut)
  return `${(isSplit ? cut.slice(0, -1) : cut).trim()}…`
}
