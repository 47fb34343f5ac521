import type { CountedMessage } from './usage-fold.ts'

/**
 * The path a project's folder stands for. Its name is a lossy encoding that must not be decoded, so a folder that some
 * record ran in speaks for it: the one that is encoded to that name, else the first one in time.
 */
export function projectPaths(messages: readonly CountedMessage[]): ReadonlyMap<string, string> {
  const found = new Map<string, { readonly cwd: string; readonly ms: number; readonly isExact: boolean }>()
  for (const { source, folded } of messages) {
    const { projectKey } = source
    const { cwd, timestampMs } = folded
    if (cwd === null) continue
    const known = found.get(projectKey)
    if (known !== undefined && (known.isExact || known.cwd === cwd)) continue
    const isExact = cwd.replace(/[^A-Za-z0-9]/g, '-') === projectKey
    const ms = timestampMs ?? Number.MAX_SAFE_INTEGER
    if (known === undefined || isExact || ms < known.ms) found.set(projectKey, { cwd, ms, isExact })
  }
  return new Map(Array.from(found, ([key, { cwd }]) => [key, cwd]))
}
