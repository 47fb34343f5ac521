// One file from disk into Envelopes. The descriptor is closed whatever happens, and a file that cannot be read is an
// empty transcript with a Problem.

import { closeSync } from 'node:fs'
import type { Problem } from '../base/problem.ts'
import { problem } from '../base/problem.ts'
import type { LoadedTranscript } from '../conversation/build.ts'
import type { AgentTranscript } from '../conversation/subagents.ts'
import type { Labels } from '../record/labels.ts'
import { gatherLabels, newLabels } from '../record/labels.ts'
import type { ByteAccount, Envelope } from '../record/model.ts'
import type { Visit } from '../record/transcript.ts'
import { addLine, closeReader, openReader } from '../record/transcript.ts'
import { refusal } from '../source/discover.ts'
import { readLines } from '../source/lines.ts'
import type { TranscriptFile } from '../source/model.ts'
import { isProblem, openTranscript } from '../source/open.ts'
import type { Sidecar } from '../source/sidecar.ts'
import { readAgentMeta } from '../source/sidecar.ts'

export interface LoadedFile {
  readonly file: TranscriptFile
  readonly transcript: LoadedTranscript
  readonly account: ByteAccount
  readonly lineCount: number
}

/** How a transcript is had: from its file, or from an index that has read it before. */
export type ReadFile = (file: TranscriptFile) => LoadedFile

export function loadFile(file: TranscriptFile, alsoVisit?: Visit): LoadedFile {
  const labels = newLabels()
  const visit: Visit = (envelope, body, isUndecoded) => {
    gatherLabels(labels, envelope, body)
    alsoVisit?.(envelope, body, isUndecoded)
  }
  const reader = openReader(file.path, {
    isSubagent: file.role === 'subagent',
    isExact: alsoVisit !== undefined,
    visit,
  })
  let lineCount = 0
  const unread = readInto(file.path, (line) => {
    lineCount = line.number
    addLine(reader, line)
  })
  const { envelopes, problems, account } = closeReader(reader)
  const all = unread === null ? problems : [unread, ...problems]
  return loadedFile(file, { envelopes, problems: all, account, labels, lineCount })
}

export interface FileContent {
  readonly envelopes: readonly Envelope[]
  readonly problems: readonly Problem[]
  readonly account: ByteAccount
  readonly labels: Labels
  readonly lineCount: number
}

export function loadedFile(file: TranscriptFile, content: FileContent): LoadedFile {
  const { envelopes, problems, account, labels, lineCount } = content
  const sessionId = file.sessionId ?? firstSessionId(envelopes) ?? ''
  return { file, account, lineCount, transcript: { path: file.path, sessionId, envelopes, problems, labels } }
}

/** A subagent with what its meta file says; the Problem is about that file alone. */
export function agentOf({ file, transcript }: LoadedFile): Sidecar<AgentTranscript> {
  const meta = readAgentMeta(file)
  const value: AgentTranscript = {
    agentId: file.agentId ?? '',
    path: file.path,
    isInline: false,
    workflowId: file.workflowId,
    sizeBytes: file.sizeBytes,
    meta: meta.value,
    envelopes: transcript.envelopes,
  }
  return { value, problem: meta.problem }
}

function readInto(path: string, add: (line: Parameters<typeof addLine>[1]) => void): Problem | null {
  const opened = openTranscript(path)
  if (isProblem(opened)) return opened
  try {
    for (const line of readLines(opened.fd)) add(line)
    return null
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return problem('file-unreadable', { path, line: 0, offset: 0, length: 0 }, refusal('cannot read the file', error))
  } finally {
    closeSync(opened.fd)
  }
}

function firstSessionId(envelopes: readonly Envelope[]): string | null {
  for (const { sessionId } of envelopes) if (sessionId !== null) return sessionId
  return null
}
