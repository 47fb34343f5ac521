import { linkSubagents } from '../conversation/subagents.ts'
import type { UsageLedger } from '../digest/usage-ledger.ts'
import type { FoundTranscripts, Project } from '../load/found.ts'
import type { ReadFile } from '../load/read.ts'
import { agentOf } from '../load/read.ts'
import type { TranscriptFile } from '../source/model.ts'
import { readAgentMeta } from '../source/sidecar.ts'

/** The type of each subagent that no record of its own tells: from the small file beside it, and else from the call. */
export function withAgentTypes(ledger: UsageLedger, archive: FoundTranscripts, read: ReadFile): UsageLedger {
  const paths = new Set(ledger.places.flatMap(({ path }) => path ?? []))
  if (paths.size === 0) return ledger
  const types = new Map<string, string | null>()
  for (const project of archive.projects) {
    const untold: TranscriptFile[] = []
    for (const file of project.files.filter(({ path }) => paths.has(path))) {
      const type = readAgentMeta(file).value?.agentType ?? null
      types.set(file.path, type)
      if (type === null) untold.push(file)
    }
    for (const [path, type] of calledTypes(project, untold, read)) types.set(path, type)
  }
  const places = ledger.places.map((place) =>
    place.path === null ? place : { ...place, agentType: types.get(place.path) ?? null },
  )
  return { ...ledger, places }
}

/** What the calls said that started them. Only their sessions are read for it, one after the other. */
function* calledTypes(
  project: Project,
  files: readonly TranscriptFile[],
  read: ReadFile,
): Generator<readonly [string, string | null]> {
  const bySession = new Map<string, TranscriptFile[]>()
  for (const file of files) {
    const sessionId = file.sessionId ?? read(file).transcript.sessionId
    const known = bySession.get(sessionId)
    if (known === undefined) bySession.set(sessionId, [file])
    else known.push(file)
  }
  for (const [sessionId, untold] of bySession) {
    const main = project.files.find((file) => file.role === 'main' && file.sessionId === sessionId)
    if (main === undefined) continue
    // A subagent may have been started by another one, of which everything is known.
    const others = project.files.filter((one) => one.role === 'subagent' && one.sessionId === sessionId)
    const agents = [...new Set([...others, ...untold])].flatMap((file) => agentOf(read(file)).value ?? [])
    for (const { path, type } of linkSubagents(read(main).transcript.envelopes, agents).subagents) yield [path, type]
  }
}
