// Whether Claude Code can go on with a conversation, and what to do where it cannot. Whoever offers a command that resumes
// one asks here first.

import type { Dialect } from '../record/dialect.ts'
import { folderWord, quoteWord } from './resume-command.ts'

export interface Hindrance {
  /** The end of a sentence. */
  readonly why: string
  readonly remedies: readonly Remedy[]
}

export interface Remedy {
  readonly words: string
  /** A line for a shell. */
  readonly command: string
}

export interface Resumable {
  readonly sessionId: string
  /** Its main transcript. */
  readonly path: string
  readonly dialect: Dialect
  /** Its own file was deleted; `path` is the archive's copy. */
  readonly isCopy: boolean
}

/** Null where it can be resumed. `word` is what Clew finds it by. */
export function hindranceOf(conversation: Resumable, word: string): Hindrance | null {
  if (conversation.isCopy) {
    const command = `clew archive restore ${quoteWord(conversation.sessionId)}`
    return { why: 'its file was deleted, and the archive has a copy', remedies: [{ words: 'First', command }] }
  }
  const why = outOfReach(conversation)
  if (why === null) return null
  const remedies = [
    { words: 'A copy that can be', command: `clew fork ${word}` },
    { words: 'What would be sent', command: `clew resume ${word} --messages` },
  ]
  return { why, remedies }
}

/** Why Claude Code does not find it, or not understand it; null where it does. */
export function outOfReach({ dialect, path }: Pick<Resumable, 'dialect' | 'path'>): string | null {
  if (dialect === 'event-log') return 'it is a log of events, which Claude Code does not read'
  const [projects, , folder] = path.split(/[\\/]/).slice(-4)
  if (folder !== 'sessions' || projects !== 'projects') return null
  return `it lies in ${path.replace(/[\\/][^\\/]*$/, '')}, where Claude Code does not look`
}

/**
 * A conversation is gone on with in the folder it took place in, which may have been moved or deleted since. Where there
 * is none to be there, nothing is missing.
 */
export function goneFolder(cwd: string | null, isThere: (path: string) => boolean): Hindrance | null {
  if (cwd === null || cwd === '' || isThere(cwd)) return null
  const word = quoteWord(folderWord(cwd))
  const remedies = [
    { words: 'If it was moved', command: `clew mv ${word} <new path> --apply` },
    { words: 'To make it again', command: `mkdir -p ${word}` },
  ]
  return { why: `the folder it took place in is gone: ${cwd}`, remedies }
}

export function hindranceText({ why, remedies }: Hindrance): string {
  return [why, ...remedies.map(({ words, command }) => `${words}: ${command}`)].join('. ')
}
