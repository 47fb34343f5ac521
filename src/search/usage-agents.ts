import type { CountedMessage } from '../digest/usage-fold.ts'
import { agentOf } from '../digest/usage-fold.ts'
import type { FoundArchive } from '../load/archive.ts'
import { readAgentMeta } from '../source/sidecar.ts'

/** The type of each subagent, where only the small file beside its transcript tells it. */
export function withAgentTypes(messages: readonly CountedMessage[], archive: FoundArchive): readonly CountedMessage[] {
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
  return messages.map((message) => {
    const { folded, source } = message
    if (agentOf(message) === null || folded.agentType !== null) return message
    return { ...message, folded: { ...folded, agentType: typeOf(source.path) } }
  })
}
