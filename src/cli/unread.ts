// Damage, told by commands that show a conversation: how many lines of its files could not be read. Where nothing could
// be, there is nothing to show, and that is an error.

import type { Problem } from '../base/problem.ts'
import { isUnread } from '../base/problem.ts'
import type { LoadedTranscript } from '../conversation/build.ts'
import { tornTail } from '../load/check.ts'
import type { LoadedFile } from '../load/read.ts'
import type { OpenSession } from '../load/session.ts'
import { findAgent } from '../load/session.ts'
import { count, counted } from '../render/units.ts'
import { Failure } from './failure.ts'
import type { Output } from './output.ts'
import type { Referenced } from './reference.ts'
import { commandFor } from './reference.ts'

type Opened = Pick<Referenced, 'session' | 'agentId' | 'isByPath'>

/** Throws where nothing of the file could be read that was asked for, and something is in it. */
export function refuseUnread(opened: Opened): void {
  const { session, agentId } = opened
  const file = agentId === null ? session.main : agentFile(session, agentId)
  if (file === null || file.transcript.envelopes.length > 0) return
  const { transcript, account } = file
  if (account.problems + account.tail === 0) return
  const found = transcript.problems.find(isUnread)
  const { line, offset } = found?.position ?? { line: 1, offset: account.sizeBytes - account.tail }
  const why = found?.message ?? 'it is one unfinished line'
  throw new Failure(
    `${transcript.path}: nothing in it could be read, from line ${count(line)} (byte ${count(offset)}) on: ${why}. Try: ${commandFor('check', opened)}`,
  )
}

/** One line for standard error when lines were lost, or null. */
export function unreadNote(opened: Opened): string | null {
  const { session, agentId } = opened
  const lines = unreadLines(session, agentId)
  if (lines === 0) return null
  return `clew: ${counted(lines, 'line')} could not be read in full. Which, and why: ${commandFor('check', opened)}`
}

export function noteUnread(opened: Opened, output: Output): void {
  const note = unreadNote(opened)
  if (note !== null) output.note(note)
}

/** Of the subagent's own file, or of all that the conversation is made of. */
function unreadLines(session: OpenSession, agentId: string | null): number {
  if (agentId !== null) {
    const file = agentFile(session, agentId)
    return file === null ? 0 : linesOf(file.transcript, tornTail(file))
  }
  const { earlier, agents } = session.woven.source
  const own = new Set(agents.map(({ path }) => path))
  const files = [session.main, ...session.agents.filter(({ transcript }) => own.has(transcript.path))]
  return [
    ...files.map((file) => linesOf(file.transcript, tornTail(file))),
    ...earlier.map((transcript) => linesOf(transcript, [])),
  ].reduce((sum, lines) => sum + lines, 0)
}

/** Null for one that has no file of its own. */
function agentFile(session: OpenSession, agentId: string): LoadedFile | null {
  const path = findAgent(session.woven, agentId)?.path
  return session.agents.find(({ transcript }) => transcript.path === path) ?? null
}

function linesOf({ problems }: LoadedTranscript, more: readonly Problem[]): number {
  return new Set([...problems, ...more].filter(isUnread).map(({ position }) => position?.line)).size
}
