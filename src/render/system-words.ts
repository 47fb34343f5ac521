// What the client wrote, in words a person understands: what kind of thing it is.

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
