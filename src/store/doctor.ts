// What Claude Code's own clean-up will delete, and where the disk went. The client looks at nothing but the time of the
// file, when it starts; `cleanupPeriodDays` in its settings says how old a file may be.

import { basename, join, relative, sep } from 'node:path'
import type { ParseError } from 'jsonc-parser'
import { parse } from 'jsonc-parser'
import type { Disk } from '../disk/disk.ts'
import { readWhole } from '../disk/durable.ts'
import { filesThrough } from '../disk/folder-files.ts'
import { realPath } from '../disk/real-path.ts'

const SETTINGS = ['settings.json', 'settings.local.json'] as const
const DEFAULT_DAYS = 30
const DAY_MS = 86_400_000

export interface SettingsFile {
  readonly path: string
  readonly state: 'absent' | 'unreadable' | 'unset' | 'valid' | 'zero' | 'invalid'
  /** As it stands there, when it is set. */
  readonly value: unknown
}

export interface Retention {
  readonly days: number
  /** The file that says so; null for the default. */
  readonly source: string | null
  readonly settings: readonly SettingsFile[]
}

export function readRetention(disk: Disk, root: string): Retention {
  return retentionOf(SETTINGS.map((name) => readSettings(disk, join(root, name))))
}

/** The last file that says something usable counts. Zero is: some clients refuse it, others delete everything. */
export function retentionOf(settings: readonly SettingsFile[]): Retention {
  const last = settings.findLast(({ state }) => state === 'valid' || state === 'zero')
  return { days: typeof last?.value === 'number' ? last.value : DEFAULT_DAYS, source: last?.path ?? null, settings }
}

/** Written by people: with comments, a comma too many, or a mark that their editor puts in front; or it is a link. */
function readSettings(disk: Disk, path: string): SettingsFile {
  if (disk.stat(path) === null) return { path, state: 'absent', value: null }
  try {
    const errors: ParseError[] = []
    const text = readWhole(disk, realPath(path))
      .toString('utf8')
      .replace(/^\ufeff/, '')
    const said: unknown = parse(text, errors, { allowTrailingComma: true })
    if (errors.length > 0 || typeof said !== 'object' || said === null)
      return { path, state: 'unreadable', value: null }
    const value = (said as Readonly<Record<string, unknown>>)['cleanupPeriodDays']
    return { path, state: stateOf(value), value: value ?? null }
  } catch {
    return { path, state: 'unreadable', value: null }
  }
}

function stateOf(value: unknown): SettingsFile['state'] {
  if (value === undefined) return 'unset'
  if (value === 0) return 'zero'
  return typeof value === 'number' && value > 0 ? 'valid' : 'invalid'
}

/** The only trace that a clean-up leaves; null when none has run. */
export function lastCleanupMs(disk: Disk, root: string): number | null {
  return disk.stat(join(root, '.last-cleanup'))?.modifiedMs ?? null
}

/** What was written to before this may be deleted within so many days. */
export function deletedBefore(disk: Disk, root: string, withinDays: number, nowMs: number): number {
  return nowMs + (withinDays - readRetention(disk, root).days) * DAY_MS
}

export interface AgeingSession {
  readonly sessionId: string
  readonly title: string
  readonly project: string
  readonly path: string
  /** Of the transcript and its folder. */
  readonly sizeBytes: number
  /** Of the file, not of its last record. */
  readonly fileModifiedMs: number
}

export interface ExpiringSession extends AgeingSession {
  readonly deletableMs: number
  /** Zero or less: it may go at the next start. */
  readonly daysLeft: number
}

/** What goes within so many days, the most urgent first. */
export function expiringSessions<Row extends AgeingSession>(
  rows: readonly Row[],
  days: number,
  withinDays: number,
  nowMs: number,
): readonly (Row & ExpiringSession)[] {
  return rows
    .map((row) => {
      const deletableMs = row.fileModifiedMs + days * DAY_MS
      return { ...row, deletableMs, daysLeft: Math.round(((deletableMs - nowMs) / DAY_MS) * 10) / 10 }
    })
    .filter(({ deletableMs }) => deletableMs <= nowMs + withinDays * DAY_MS)
    .sort((one, other) => one.deletableMs - other.deletableMs || (one.path < other.path ? -1 : 1))
}

export interface ProjectUse {
  /** Null for what belongs to none: loose files, and the file history of sessions whose transcripts are gone. */
  readonly projectKey: string | null
  readonly sessions: number
  readonly transcriptBytes: number
  readonly subagentBytes: number
  readonly toolResultBytes: number
  readonly fileHistoryBytes: number
  /** Titles, memory, workflows, and whatever else lies there. */
  readonly otherBytes: number
  readonly totalBytes: number
}

type Part = 'transcriptBytes' | 'subagentBytes' | 'toolResultBytes' | 'fileHistoryBytes' | 'otherBytes'
type Parts = { -readonly [part in Part | 'sessions']: number }

/** What each project of a Claude directory takes, the largest first. */
export function diskUse(disk: Disk, root: string): readonly ProjectUse[] {
  const uses = new Map<string | null, Parts>()
  const partsOf = (key: string | null): Parts => {
    const known = uses.get(key) ?? newParts()
    uses.set(key, known)
    return known
  }
  const projects = join(root, 'projects')
  const owners = new Map<string, string>()
  for (const { path, sizeBytes } of filesThrough(disk, projects).files) {
    const [key = '', ...parts] = relative(projects, path).split(sep)
    const part = partOf(parts)
    const use = partsOf(parts.length === 0 ? null : key)
    use[part] += sizeBytes
    if (part !== 'transcriptBytes') continue
    use.sessions++
    owners.set(basename(path, '.jsonl'), key)
  }
  const history = join(root, 'file-history')
  for (const { path, sizeBytes } of filesThrough(disk, history).files) {
    const [sessionId = ''] = relative(history, path).split(sep)
    partsOf(owners.get(sessionId) ?? null).fileHistoryBytes += sizeBytes
  }
  return [...uses].map(([key, parts]) => useOf(key, parts)).sort((one, other) => other.totalBytes - one.totalBytes)
}

/** By where a file lies below the folder of its project. */
function partOf(parts: readonly string[]): Part {
  const name = parts.at(-1) ?? ''
  if (parts.includes('tool-results')) return 'toolResultBytes'
  if (parts.includes('subagents')) return 'subagentBytes'
  if (parts.length > 2 || !name.endsWith('.jsonl')) return 'otherBytes'
  if (name.startsWith('agent-')) return 'subagentBytes'
  // Some tools keep a project's transcripts one folder deeper.
  return parts.length === 1 || parts[0] === 'sessions' ? 'transcriptBytes' : 'otherBytes'
}

function newParts(): Parts {
  return { sessions: 0, transcriptBytes: 0, subagentBytes: 0, toolResultBytes: 0, fileHistoryBytes: 0, otherBytes: 0 }
}

function useOf(projectKey: string | null, { sessions, ...parts }: Parts): ProjectUse {
  const totalBytes = Object.values(parts).reduce((sum, bytes) => sum + bytes, 0)
  return { projectKey, sessions, ...parts, totalBytes }
}
