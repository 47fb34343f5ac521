// Slash commands and shell lines without the tags in which the client writes them down: what was typed, what was printed.

const TAG = /<\/?(?:command-(?:name|message|args)|local-command-\w+|bash-(?:input|stdout|stderr))>/g

const NAME = /<command-name>([^<]*)<\/command-name>/
const ARGS = /<command-args>([\s\S]*?)<\/command-args>/
const MESSAGE = /<command-message>([^<]*)<\/command-message>/
const SHELL = /^\s*<bash-input>([\s\S]*?)(?:<\/bash-input>|$)/

/** `/rename` is written with its name, its message and its arguments in tags of the client's own. */
export function untagged(text: string): string {
  const name = NAME.exec(text)?.[1]?.trim()
  if (name === undefined) return text.replace(TAG, '').trim()
  const words = ARGS.exec(text)?.[1]?.trim() ?? ''
  const said = MESSAGE.exec(text)?.[1]?.trim() ?? ''
  const rest = text
    .replace(NAME, '')
    .replace(ARGS, '')
    .replace(MESSAGE, () => (isNamed(said, name) ? '' : said))
  return withRest(`${name.startsWith('/') ? '' : '/'}${name}${words === '' ? '' : ` ${words}`}`, rest)
}

/** The slash command or the shell line that a person typed; null for what it printed. */
export function typedLine(text: string): string | null {
  if (/^\s*<command-\w+>/.test(text) && text.includes('<command-name>')) return untagged(text)
  const shell = SHELL.exec(text)?.[1]
  return shell === undefined ? null : withRest(`! ${shell.trim()}`, text.replace(SHELL, ''))
}

/** The message says the name again, as a rule. */
function isNamed(message: string, name: string): boolean {
  const [first = '', ...more] = message.replace(/^\//, '').split(' ')
  return first === name.replace(/^\//, '') && (more.length === 0 || more.join(' ').startsWith('is running'))
}

/** What a client writes beside its tags is kept too, in lines of its own. */
function withRest(typed: string, rest: string): string {
  const further = rest.replace(TAG, '').trim()
  return further === '' ? typed : `${typed}\n${further}`
}
