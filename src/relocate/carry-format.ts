// A session in one file: gzip of one line of JSON, the manifest, and behind it the bytes of the files it lists, one after
// the other. It is meant to come from somebody else's machine, so nothing in it is believed before it is checked.

export const CARRY_VERSION = 1
/** How a manifest begins. */
export const CARRY_HEAD = '{"clew":"carry"'

export interface CarriedFile {
  /** Where it belongs, without saying which session or path: `transcript.jsonl`, `session/subagents/agent-a1.jsonl`. */
  readonly name: string
  readonly sizeBytes: number
  readonly modifiedMs: number
  readonly sha256: string
}

export interface CarryManifest {
  readonly clew: 'carry'
  readonly version: typeof CARRY_VERSION
  readonly sessionId: string
  readonly title: string
  /** Where the session is on the machine it comes from; null where no record says it. */
  readonly cwd: string | null
  readonly carriedAt: string
  /** The transcript first. */
  readonly files: readonly CarriedFile[]
}

export const TRANSCRIPT = 'transcript.jsonl'

/** What may be carried, by the first part of its name. Keys and settings have no name here. */
const PLACES: ReadonlySet<string> = new Set(['session', 'agents', 'file-history', 'todos', 'tasks'])
const FILES_MAX = 100_000
/** No transcript is packed better than this; what claims to be is made to fill a disk. */
const RATIO_MAX = 200
const FREE_BYTES = 1 << 28

/** A manifest, or in words what is wrong with it. */
export function checkManifest(text: string, packedBytes: number): CarryManifest | string {
  let value: Partial<CarryManifest> | null
  try {
    value = JSON.parse(text) as Partial<CarryManifest> | null
  } catch {
    return 'it does not begin with a manifest'
  }
  if (value?.clew !== 'carry') return 'it was not made by clew carry'
  if (value.version !== CARRY_VERSION) return 'it was made by a later version of Clew'
  const { sessionId, title, cwd, carriedAt, files } = value
  if (typeof sessionId !== 'string' || !isSessionId(sessionId)) return 'its session has no sound id'
  if (typeof title !== 'string' || typeof carriedAt !== 'string') return 'its manifest is not whole'
  if (cwd !== null && typeof cwd !== 'string') return 'its manifest is not whole'
  if (!Array.isArray(files) || files.length === 0 || files.length > FILES_MAX) return 'it lists no files, or too many'
  const wrong = files.find((file) => !isSoundFile(file, sessionId))
  if (wrong !== undefined) return 'it lists a file whose name or size is not sound'
  const names = new Set((files as readonly CarriedFile[]).map(({ name }) => name.toLowerCase()))
  if (names.size !== files.length) return 'it lists a file twice'
  if (files[0]?.name !== TRANSCRIPT) return 'it has no transcript'
  const totalBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  if (totalBytes > Math.max(FREE_BYTES, packedBytes * RATIO_MAX))
    return 'it claims to unpack to far more than it can hold'
  return value as CarryManifest
}

function isSoundFile(file: unknown, sessionId: string): boolean {
  const { name, sizeBytes, modifiedMs, sha256 } = (file ?? {}) as Partial<CarriedFile>
  const isCount = typeof sizeBytes === 'number' && Number.isSafeInteger(sizeBytes) && sizeBytes >= 0
  const isTime = typeof modifiedMs === 'number' && Number.isFinite(modifiedMs)
  const isHash = typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256)
  return isCount && isTime && isHash && typeof name === 'string' && isSoundName(name, sessionId)
}

/** A folder gets this name beside the memory of a project: no word may pass for it. */
export function isSessionId(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)
}

/** Never absolute, never upwards, nothing a system takes for something else, nothing of another session. */
export function isSoundName(name: string, sessionId: string): boolean {
  if (name === TRANSCRIPT) return true
  const parts = name.split('/')
  const [place = '', first = ''] = parts
  // These two come to lie among the files of other sessions.
  if (place === 'agents' && !/^agents\/agent-[\w-]+\.jsonl$/.test(name)) return false
  if (place === 'todos' && !(parts.length === 2 && first.startsWith(sessionId))) return false
  return PLACES.has(place) && parts.length > 1 && parts.length <= 12 && name.length <= 1000 && parts.every(isSoundPart)
}

function isSoundPart(part: string): boolean {
  if (part === '' || part.length > 200 || /^\.+$/.test(part) || /[. ]$/.test(part)) return false
  // Control characters, and what Windows gives a meaning: drives, streams, wildcards.
  if (/[\\:*?"<>|]/.test(part) || [...part].some((letter) => letter < ' ' || letter === '\u007f')) return false
  return !part.endsWith('.clew-next') && !/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(part)
}
