import type { TurnRef } from '../recover/turns.ts'
import { outOfReach } from '../render/resumable.ts'
import { resumeCommand } from '../render/resume-command.ts'

/** What goes on with the conversation that a file's version is from; null where Claude Code cannot. */
export function turnCommand(sessionId: string, turn: TurnRef | null): string | null {
  if (turn !== null && outOfReach(turn) !== null) return null
  return resumeCommand({ sessionId, cwd: turn?.cwd ?? null })
}
