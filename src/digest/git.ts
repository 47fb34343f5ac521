// Commits and pull requests a command made. Newer clients say so themselves (`gitOperation`); else git's and gh's own
// output does, and for `git commit -q`, which says nothing, the message that was handed over.

import { object, text } from '../record/fields.ts'
import type { OpenCall } from './call.ts'
import { shorten } from './condense.ts'
import { SHELLS, simpleCommands } from './shell.ts'

export interface GitFacts {
  readonly commits: readonly {
    readonly hash: string | null
    readonly subject: string
    readonly branch: string | null
  }[]
  readonly pullRequests: readonly { readonly url: string; readonly title: string | null }[]
}

const NOTHING: GitFacts = { commits: [], pullRequests: [] }

export function gitFacts(call: OpenCall): GitFacts {
  const command = SHELLS.has(call.name) ? text(call.input['command']) : null
  if (command === null || call.status === 'denied' || call.status === 'pending') return NOTHING
  if (!/\b(?:git|gh|glab)\b/.test(command)) return NOTHING
  const commands = simpleCommands(command)
  return { commits: commitsOf(call, command, commands), pullRequests: pullRequestsOf(call, command, commands) }
}

function commitsOf(call: OpenCall, command: string, commands: readonly (readonly string[])[]): GitFacts['commits'] {
  const isCommitting = commands.some((words) => words[0] === 'git' && words.slice(1, 6).includes('commit'))
  if (!isCommitting) return []
  const printed = [...call.output.matchAll(/^\[([^\]\n]+?)(?: \(root-commit\))? ([0-9a-f]{7,40})\] (.+)$/gm)]
  if (printed.length > 0) {
    return printed.map(([, branch = '', hash = '', subject = '']) => ({
      hash,
      subject: shorten(subject, 200),
      branch: branch === 'detached HEAD' ? null : branch,
    }))
  }
  if (call.status !== 'ok') return []
  const kept = object(object(call.kept?.['gitOperation'])?.['commit'])
  const subject = messageOf(command)
  const saysNothing = /\bnothing (?:added )?to commit\b|no changes added/.test(call.output)
  if (saysNothing || (subject === null && kept === null)) return []
  return [{ hash: text(kept?.['sha']), subject: subject ?? '', branch: null }]
}

/** The first line of what `-m` was given. */
function messageOf(command: string): string | null {
  const hereDocument = /(?:-\w*m|--message)[= ]?\s*"?\$\(cat <<-?\s*['"]?\w+['"]?\s*\n\s*([^\n]+)/.exec(command)?.[1]
  if (hereDocument !== undefined) return shorten(hereDocument, 200)
  const quoted = /\s(?:-\w*m|--message)[= ]?\s*(?:"((?:\\.|[^"\\])*)"|'([^']*)')/.exec(command)
  const message = quoted?.[1] ?? quoted?.[2]
  return message === undefined ? null : shorten(message.split('\n', 1)[0] ?? '', 200)
}

function pullRequestsOf(
  call: OpenCall,
  command: string,
  commands: readonly (readonly string[])[],
): GitFacts['pullRequests'] {
  const kept = object(object(call.kept?.['gitOperation'])?.['pr'])
  const isCreating = commands.some(
    ([program, noun, verb]) =>
      (program === 'gh' && noun === 'pr' && verb === 'create') ||
      (program === 'glab' && noun === 'mr' && verb === 'create'),
  )
  const keptUrl = kept?.['action'] === 'created' ? text(kept['url']) : null
  if (!isCreating && keptUrl === null) return []
  const printed = [...call.output.matchAll(/https:\/\/\S+\/(?:pull|merge_requests)\/\d+/g)].at(-1)?.[0]
  const url = keptUrl ?? printed
  if (url === undefined) return []
  const title = /\s(?:-t|--title)[= ]\s*(?:"((?:\\.|[^"\\])*)"|'([^']*)'|([^\s"'-]\S*))/.exec(command)
  const given = title?.[1] ?? title?.[2] ?? title?.[3]
  return [{ url, title: given === undefined ? null : shorten(given, 200) }]
}
