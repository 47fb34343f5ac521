// What compactions kept word for word. Some clients write it once more, with the same parent, when they compact.

import type { Thread } from './thread.ts'

export function keptUuids({ nodes }: Thread): ReadonlySet<string> {
  const kept = new Set<string>()
  for (const { first } of nodes) for (const uuid of first.boundary?.preserved?.uuids ?? []) kept.add(uuid)
  return kept
}
