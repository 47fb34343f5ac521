import { safeName } from './terminal.ts'

export interface Resumable {
  readonly sessionId: string
  readonly cwd: string | null
}

/** A line for a shell that goes on with a conversation where it took place; without `cd` when nothing says where. */
export function resumeCommand({ sessionId, cwd }: Resumable): string {
  // An id comes from the name of a file. One that looks like an option must not become one.
  const claude = `claude --resume${sessionId.startsWith('-') ? '=' : ' '}${quoteWord(sessionId)}`
  return cwd === null || cwd === '' ? claude : `cd ${quoteWord(folderWord(cwd))} && ${claude}`
}

/** `cd -` goes back and `cd tides` may go anywhere (CDPATH): only a path that begins with a place says where it is. */
export function folderWord(folder: string): string {
  return /^(?:\/|[A-Za-z]:[\\/])/.test(folder) ? folder : `./${folder}`
}

/**
 * One word for any POSIX shell. What may not be printed is written as its bytes in octal: bash, zsh and ksh read that
 * in `$'…'`, and it reaches no terminal as it is.
 */
export function quoteWord(word: string): string {
  if (/^[\w./:@+,-]+$/.test(word)) return word
  if (safeName(word) === word) return `'${word.replaceAll("'", "'\\''")}'`
  const escaped = Array.from(word, (one) => {
    if (one === "'" || one === '\\') return `\\${one}`
    return safeName(one) === one ? one : octalBytes(one)
  })
  return `$'${escaped.join('')}'`
}

function octalBytes(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
}
