// A shell command to its simple commands, only where that is certain: words without patterns, variables or substitutions,
// commands one after the other. Anything else makes the whole command unclear.

export interface SimpleCommand {
  readonly words: readonly string[]
  /** What follows `>` or `>>`. */
  readonly redirect: { readonly path: string; readonly isAppend: boolean } | null
  /** The text of a here-document whose end was quoted, so that nothing in it was replaced. */
  readonly hereText: string | null
}

export interface ShellScript {
  readonly commands: readonly SimpleCommand[]
  /** Joined by `&&` alone: when the whole went well, each of them did. */
  readonly isStrict: boolean
}

/** Null when anything in it is not plain. */
export function readScript(command: string): ShellScript | null {
  const reader: Reader = { text: command, at: 0, waiting: [] }
  const commands: SimpleCommand[] = []
  let isStrict = true
  for (;;) {
    const one = readCommand(reader)
    if (one === null) return null
    if (one.words.length > 0) commands.push(one)
    const join = readJoin(reader)
    if (join === null) return null
    if (join === 'end') break
    if (join === 'line') fillHereTexts(reader, commands)
    if (join !== 'and' && reader.text.slice(reader.at).trim() !== '') isStrict = false
  }
  return reader.waiting.length > 0 ? null : { commands, isStrict }
}

interface Reader {
  readonly text: string
  at: number
  readonly waiting: string[]
}

const PLAIN_CHARACTER = /[\w./:@%+,=^~#-]|[^\0-\u007f]/

function readCommand(reader: Reader): SimpleCommand | null {
  const words: string[] = []
  let redirect: SimpleCommand['redirect'] = null
  for (;;) {
    skipBlanks(reader)
    const rest = reader.text.slice(reader.at, reader.at + 200)
    if (rest === '' || /^(?:\n|;|&&|\|\||\||&|\(|\)|#)/.test(rest)) break
    const here = /^<<(-?)(['"])([A-Za-z_]\w*)\2/.exec(rest)
    if (here !== null && here[1] === '') {
      reader.waiting.push(here[3] as string)
      reader.at += here[0].length
      continue
    }
    const quiet = /^(?:2>&1|2>\s?\/dev\/null|2>>?\s?\/dev\/null)(?=\s|;|&|$)/.exec(rest)
    if (quiet !== null) {
      reader.at += quiet[0].length
      continue
    }
    const into = /^1?(>>?)\s*/.exec(rest)
    if (into !== null && !rest.startsWith('>&') && redirect === null) {
      reader.at += into[0].length
      const path = readWord(reader)
      if (path === null || path === '') return null
      redirect = { path, isAppend: into[1] === '>>' }
      continue
    }
    const word = readWord(reader)
    if (word === null) return null
    words.push(word)
  }
  return { words, redirect, hereText: null }
}

function skipBlanks(reader: Reader): void {
  for (;;) {
    const character = reader.text[reader.at]
    if (character === ' ' || character === '\t') reader.at++
    else if (character === '\\' && reader.text[reader.at + 1] === '\n') reader.at += 2
    else return
  }
}

function readWord(reader: Reader): string | null {
  const { text, at: start } = reader
  let word = ''
  while (reader.at < text.length) {
    const character = text[reader.at] as string
    if (character === "'") {
      const end = text.indexOf("'", reader.at + 1)
      if (end < 0) return null
      word += text.slice(reader.at + 1, end)
      reader.at = end + 1
    } else if (character === '"') {
      const quoted = /^"((?:[^"\\$`!]|\\[\\"$`])*)"/.exec(text.slice(reader.at))
      if (quoted === null) return null
      word += (quoted[1] as string).replace(/\\(.)/g, '$1')
      reader.at += quoted[0].length
    } else if (character === '\\' && /[ ()[\]&'"$*?]/.test(text[reader.at + 1] ?? '')) {
      word += text[reader.at + 1]
      reader.at += 2
    } else if (PLAIN_CHARACTER.test(character) && !(character === '~' && reader.at === start)) {
      word += character
      reader.at++
    } else if (/[\s;&|<>]/.test(character)) break
    else return null
  }
  return reader.at === start ? null : word
}

function readJoin(reader: Reader): 'and' | 'line' | 'semicolon' | 'end' | null {
  const rest = reader.text.slice(reader.at, reader.at + 2)
  if (rest === '') return 'end'
  if (rest === '&&') {
    reader.at += 2
    while (/\s/.test(reader.text[reader.at] ?? '')) reader.at++
    return 'and'
  }
  if (rest.startsWith('#')) {
    const end = reader.text.indexOf('\n', reader.at)
    reader.at = end < 0 ? reader.text.length : end
    return readJoin(reader)
  }
  if (!rest.startsWith('\n') && (!rest.startsWith(';') || rest === ';;')) return null
  reader.at++
  return rest.startsWith('\n') ? 'line' : 'semicolon'
}

/** Behind the line that opened it stands the text of each here-document, up to its name alone on a line. */
function fillHereTexts(reader: Reader, commands: SimpleCommand[]): void {
  if (reader.waiting.length !== 1) return
  const name = reader.waiting[0] as string
  const lines = reader.text.slice(reader.at).split('\n')
  const end = lines.indexOf(name)
  const last = commands.at(-1)
  if (end < 0 || last === undefined) return
  const body = lines.slice(0, end)
  commands[commands.length - 1] = { ...last, hereText: body.map((line) => `${line}\n`).join('') }
  reader.at += [...body, name].join('\n').length
  reader.waiting.length = 0
}
