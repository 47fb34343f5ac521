// A shell command to the simple commands in it, well enough to tell what somebody was about. Nothing is expanded, what
// stands in a here-document is left out, and a command that is no shell at all comes out as one odd word list.

/** Tools that run a command. */
export const SHELLS: ReadonlySet<string> = new Set(['Bash', 'PowerShell', 'bash'])

const COMMAND_MAX = 4_000

/** `cd web && FOO=1 npx vitest run | tail` → `cd web`, `vitest run`, `tail`. */
export function simpleCommands(command: string): readonly (readonly string[])[] {
  return splitWords(withoutHereDocuments(command.slice(0, COMMAND_MAX)))
    .map(withoutPrefixes)
    .filter((words) => words.some((word) => word !== ''))
}

function withoutHereDocuments(command: string): string {
  const opened = /<<-?\s*(['"]?)([A-Za-z_]\w*)\1/.exec(command)
  if (opened === null) return command
  const name = opened[2] as string
  const bodyStart = command.indexOf('\n', opened.index)
  if (bodyStart < 0) return command
  const end = new RegExp(`^[\\t ]*${name}[\\t ]*$`, 'm').exec(command.slice(bodyStart + 1))
  const head = command.slice(0, opened.index)
  const rest = command.slice(opened.index + opened[0].length, bodyStart)
  if (end === null) return head + rest
  // Once for each document: the text grows shorter every time.
  return withoutHereDocuments(head + rest + command.slice(bodyStart + 1 + end.index + end[0].length))
}

function splitWords(command: string): readonly (readonly string[])[] {
  const all: string[][] = []
  let words: string[] = []
  let word = ''
  let hasWord = false
  let quote = ''
  const endWord = (): void => {
    if (hasWord) words.push(word)
    word = ''
    hasWord = false
  }
  const endCommand = (): void => {
    endWord()
    if (words.length > 0) all.push(words)
    words = []
  }
  for (let at = 0; at < command.length; at++) {
    const character = command[at] as string
    if (quote !== '') {
      if (character === quote) quote = ''
      else if (character === '\\' && quote === '"') word += command[++at] ?? ''
      else word += character
    } else if (character === '"' || character === "'") {
      quote = character
      hasWord = true
    } else if (character === '\\') {
      at++
      // A line that goes on.
      if (command[at] === '\n') continue
      word += command[at] ?? ''
      hasWord = true
    } else if (character === '\n' || character === ';' || character === '|' || character === '(' || character === ')') {
      endCommand()
    } else if (character === '&') {
      // `2>&1` belongs to a redirection.
      if (word.endsWith('>') || command[at + 1] === '>') word += character
      else endCommand()
    } else if (/\s/.test(character)) endWord()
    else {
      word += character
      hasWord = true
    }
  }
  endCommand()
  return all
}

const PREFIX = /^(?:--|sudo|env|time|nice|nohup|command|exec|rtk|npx|bunx|uvx|xvfb-run)$/
const RUNNER =
  /^(?:poetry run|mise exec|mise x|docker exec|uv run|pipenv run|bundle exec|pnpm exec|pnpm dlx|yarn dlx|yarn exec|npm exec|rye run|hatch run)$/

function withoutPrefixes(words: readonly string[]): readonly string[] {
  let at = 0
  for (;;) {
    const word = words[at] ?? ''
    if (/^[A-Za-z_]\w*=/.test(word) || PREFIX.test(word)) at++
    else if (RUNNER.test(`${word} ${words[at + 1] ?? ''}`)) at += 2
    else if (word === 'timeout') {
      at++
      while (/^-|^[\d.]+[smhd]?$/.test(words[at] ?? '')) at++
    } else if (at > 0 && /^-{1,2}[a-z]/.test(word) && PREFIX.test(words[at - 1] ?? '')) at++
    else break
  }
  // What a redirection names is no argument, in the same word or in the next.
  return words
    .slice(at)
    .filter((word, place, all) => !/^\d*[<>]/.test(word) && !/^\d*[<>]+$/.test(all[place - 1] ?? ''))
}
