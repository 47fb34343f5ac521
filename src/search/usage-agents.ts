import type { UsageLedger } from '../digest/usage-ledger.ts'
import type { FoundTranscripts } from '../load/found.ts'
import { readAgentMeta } from '../source/sidecar.ts'

/** The type of each subagent, where only the small file beside its transcript tells it. */
export function withAgentTypes(ledger: UsageLedger, archive: FoundTranscripts): UsageLedger {
  const files = new Map(archive.projects.flatMap((project) => project.files).map((file) => [file.path, file]))
  const types = new Map<string, string | null>()
  const typeOf = (path: string): string | null => {
    const known = types.get(path)
    if (known !== undefined) return known
    const file = files.get(path)
    const type = file === undefined ? null : (readAgentMeta(file).value?.agentType ?? null)
    types.set(path, type)
    return type
  }
  const places = ledger.places.map((place) =>
    place.path === null ? place : { ...place, agentType: typeOf(place.path) },
  )
  return { ...ledger, places }
}
