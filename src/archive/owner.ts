// Whose a file is, told by its name alone: the archive understands nothing that is in it. A file that lies where nobody
// has seen one yet still has an owner when an id stands in its path.

export interface Owner {
  /** The folder under `projects/`; null for what lies elsewhere. */
  readonly projectKey: string | null
  /** Null for what belongs to a project or to nobody. */
  readonly sessionId: string | null
  /** A flat file of a Subagent does not say whose it is: it goes with every session of its folder. */
  readonly isFlat: boolean
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i
const TRANSCRIPT = /^projects\/([^/]+)\/(?:sessions\/)?([^/]+)\.jsonl$/

/** The session whose transcript this is; null for any other file. */
export function transcriptId(name: string): string | null {
  const stem = TRANSCRIPT.exec(name)?.[2]
  return stem === undefined || stem.startsWith('agent-') ? null : stem
}

/** Owners of these names. All of a Claude directory should be among them: a folder is a session's when its transcript is. */
export function ownersOf(names: Iterable<string>): (name: string) => Owner {
  const folders = new Map<string, string>()
  for (const name of names) {
    const id = transcriptId(name)
    if (id !== null) folders.set(name.slice(0, -'.jsonl'.length), id)
  }
  return (name) => ownerOf(name, folders)
}

function ownerOf(name: string, folders: ReadonlyMap<string, string>): Owner {
  const parts = name.split('/')
  const [top, second = ''] = parts
  if (top !== 'projects') {
    // What does not begin with an id is named by something else: a plan, say, in which one may be mentioned.
    const sessionId = top === 'plans' || parts.length === 1 ? null : (idAtStart(second) ?? null)
    return { projectKey: null, sessionId, isFlat: false }
  }
  const projectKey = parts.length > 2 ? second : null
  const own = transcriptId(name) ?? folderOwner(parts, folders)
  return { projectKey, sessionId: own, isFlat: own === null && TRANSCRIPT.test(name) }
}

/** `<session>/…` beside a transcript, or what is named like one whose transcript is gone. */
function folderOwner(parts: readonly string[], folders: ReadonlyMap<string, string>): string | null {
  for (const count of [3, 4]) {
    if (parts.length <= count || (count === 4 && parts[2] !== 'sessions')) continue
    const folder = folders.get(parts.slice(0, count).join('/'))
    if (folder !== undefined) return folder
    const part = parts[count - 1] ?? ''
    if (ID.exec(part)?.[0] === part) return part
  }
  return null
}

function idAtStart(text: string): string | undefined {
  const found = ID.exec(text)
  return found?.index === 0 ? found[0] : undefined
}
