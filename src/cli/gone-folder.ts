// A conversation is gone on with in the folder it took place in, which may have been moved or deleted since.

import { existsSync } from 'node:fs'
import { quoteWord } from '../render/resume-command.ts'

/** Where there is none to be there, nothing is missing. */
export function isFolderThere(cwd: string | null): boolean {
  return cwd === null || cwd === '' || existsSync(cwd)
}

/** What is missing, and how to go on all the same. */
export function goneFolderText(cwd: string): string {
  const word = quoteWord(cwd)
  return `the folder it took place in is gone: ${cwd}. If it was moved: clew mv ${word} <new path> --apply. To make it again: mkdir -p ${word}`
}
