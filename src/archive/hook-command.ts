// The line that Claude Code runs when a session ends and before it is compacted. A shell starts it in the background and
// ends at once: the client waits for two milliseconds, not for Node. It says nothing, whatever happens, because a client
// would show it; `clew doctor` tells how the last run went.

export interface HookProgram {
  /** Of Node, absolute. */
  readonly node: string
  /** Of Clew, absolute. */
  readonly script: string
  readonly root: string
  /** Where the archive lies, when that is not where it would be looked for. */
  readonly dataFolder: string | null
}

/**
 * Set for all that archiving starts. Where it is set nothing is archived, so that a client which a hook or a model of Clew
 * has started cannot go round in circles.
 */
export const ARCHIVING = 'CLEW_ARCHIVING'

const OURS = new RegExp(`\\b${ARCHIVING}\\b.* archive --background `)

export function hookCommand({ node, script, root, dataFolder }: HookProgram): string {
  const place = dataFolder === null ? '' : `XDG_DATA_HOME=${quoted(dataFolder)} `
  const words = [quoted(node), quoted(script), 'archive --background --root', quoted(root)].join(' ')
  return `[ -n "$${ARCHIVING}$CLEW_REENTRY" ] || ${place}${ARCHIVING}=1 ${words} </dev/null >/dev/null 2>&1 &`
}

/** Whether this is a line of ours, of this version of Clew or of an older one. */
export function isHookCommand(command: unknown): command is string {
  return typeof command === 'string' && OURS.test(command)
}

/** The programs that a line of ours starts, to see whether they are still there. */
export function hookPrograms(command: string): readonly string[] {
  const words = / ?CLEW_ARCHIVING=1 ('(?:[^']|'\\'')*') ('(?:[^']|'\\'')*') archive /.exec(command)
  return (words?.slice(1) ?? []).map((word) => word.slice(1, -1).replaceAll("'\\''", "'"))
}

/** One word for any POSIX shell. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
