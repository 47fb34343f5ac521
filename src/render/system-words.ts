// What the client wrote, in words a person understands: what kind of thing it is, and what it says without its tags.

export function injectionLabel(injection: string): string {
  return INJECTION_LABELS[injection] ?? injection.replaceAll('-', ' ')
}

const INJECTION_LABELS: Readonly<Record<string, string>> = {
  'command-output': 'output of the command',
  caveat: 'note about commands',
  'task-notification': 'a task reports',
  interrupt: 'interrupted',
  reminder: 'reminder',
  coordinator: 'from another agent',
}

export function subtypeLabel(subtype: string): string {
  if (subtype === 'local_command') return 'command'
  return subtype.replaceAll('_', ' ')
}

const TAG = /<\/?(?:command-(?:name|message|args)|local-command-\w+|bash-(?:input|stdout|stderr))>/g

/** `/rename` is written with its name, its message and its arguments in tags of the client's own. */
export function said(text: string): string {
  const name = /<command-name>([^<]*)<\/command-name>/.exec(text)?.[1]?.trim()
  if (name === undefined) return text.replace(TAG, '').trim()
  const words = /<command-args>([\s\S]*?)<\/command-args>/.exec(text)?.[1]?.trim() ?? ''
  return `${name.startsWith('/') ? '' : '/'}${name}${words === '' ? '' : ` ${words}`}`
}

/** The slash command or the shell line that a person typed; null for what it printed. */
export function typedLine(text: string): string | null {
  if (/^\s*<command-\w+>/.test(text) && text.includes('<command-name>')) return said(text)
  const shell = /^\s*<bash-input>([\s\S]*?)(?:<\/bash-input>|$)/.exec(text)?.[1]
  return shell === undefined ? null : `! ${shell.trim()}`
}
