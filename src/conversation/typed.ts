// Slash commands and shell lines without the tags in which the client writes them down: what was typed, what was printed.

const TAG = /<\/?(?:command-(?:name|message|args)|local-command-\w+|bash-(?:input|stdout|stderr))>/g

/** `/rename` is written with its name, its message and its arguments in tags of the client's own. */
export function untagged(text: string): string {
  const name = /<command-name>([^<]*)<\/command-name>/.exec(text)?.[1]?.trim()
  if (name === undefined) return text.replace(TAG, '').trim()
  const words = /<command-args>([\s\S]*?)<\/command-args>/.exec(text)?.[1]?.trim() ?? ''
  return `${name.startsWith('/') ? '' : '/'}${name}${words === '' ? '' : ` ${words}`}`
}

/** The slash command or the shell line that a person typed; null for what it printed. */
export function typedLine(text: string): string | null {
  if (/^\s*<command-\w+>/.test(text) && text.includes('<command-name>')) return untagged(text)
  const shell = /^\s*<bash-input>([\s\S]*?)(?:<\/bash-input>|$)/.exec(text)?.[1]
  return shell === undefined ? null : `! ${shell.trim()}`
}
