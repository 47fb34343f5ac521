// One file from disk into Envelopes. The descriptor is closed whatever happens, and a file that cannot be read is an
// empty transcript with a Problem.

import { closeSync } from 'node:fs'
import type { Problem } from '../base/problem.ts'
import { problem } from '../base/problem.ts'
import type { LoadedTranscript } from '../conversation/build.ts'
import type { AgentTranscript } from '../conversation/subagents.ts'
import type { Labels } from '../record/labels.ts'
import { gatherLabels, labelsInForce, newLabels } from '../record/labels.ts'
import type { ByteAccount, Envelope } from '../record/model.ts'
import { promptBody } from '../record/sketch-envelope.ts'
import type { Reader, Visit } from '../record/transcript.ts'
import { closeReader, openReader } from '../record/transcript.ts'
import type { VisitSketch } from '../record/window.ts'
import { refusal } from '../source/discover.ts'
import type { TranscriptFile } from '../source/model.ts'
import { isProblem, openTranscript } from '../source/open.ts'
import type { Sidecar } from '../source/sidecar.ts'
import { readAgentMeta } from '../source/sidecar.ts'
import { addAll } from './add-all.ts'

export interface LoadedFile {
  readonly file: TranscriptFile
  readonly transcript: LoadedTranscript
  readonly account: ByteAccount
  readonly lineCount: number
}

/** How a transcript is had: from its file, or from an index that has read it before. */
export type ReadFile = (file: TranscriptFile) => LoadedFile

/** Whoever looks at every record: at the Bodies of those that were parsed, and at the sketches of those that were not. */
export interface Visitors {
  readonly visit: Visit
  readonly visitSketch: VisitSketch
}

export function loadFile(file: TranscriptFile, also?: Visitors): LoadedFile {
  const labels = newLabels()
  const visit: Visit = (envelope, body, line) => {
    gatherLabels(labels, envelope, body)
    also?.visit(envelope, body, line)
  }
  const visitSketch: VisitSketch = (envelope, sketch) => {
    if (envelope.kind === 'prompt' && labels.firstPrompt === null) gatherLabels(labels, envelope, promptBody(sketch))
    also?.visitSketch(envelope, sketch)
  }
  const reader = openReader(file.path, { isSubagent: file.role === 'subagent', visit })
  const { unread, lineCount } = readInto(reader, visitSketch)
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
  const { envelopes, problems, account, lineCount } = content
  const sessionId = file.sessionId ?? lastSessionId(envelopes) ?? ''
  const labels = labelsInForce(content.labels, envelopes, account.sizeBytes)
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

function readInto(
  reader: Reader,
  visitSketch: VisitSketch,
): { readonly unread: Problem | null; readonly lineCount: number } {
  const { path } = reader
  let lineCount = 0
  const opened = openTranscript(path)
  if (isProblem(opened)) return { unread: opened, lineCount }
  try {
    for (const next of addAll(reader, opened.fd, { offset: 0, number: 1 }, { visitSketch })) lineCount = next.number - 1
    return { unread: null, lineCount }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    const position = { path, line: 0, offset: 0, length: 0 }
    return { unread: problem('file-unreadable', position, refusal('cannot read the file', error)), lineCount }
  } finally {
    closeSync(opened.fd)
  }
}

/**
 * Whose a flat agent file is: its name does not tell. Agents that 2.0.77 starts while it resumes have their prompt from a
 * session that came to nothing, and their answer in the one that was resumed.
 */
export function lastSessionId(envelopes: readonly Envelope[]): string | null {
  return envelopes.findLast(({ sessionId }) => sessionId !== null)?.sessionId ?? null
}
