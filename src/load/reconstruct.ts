// Everything read and every Conversation woven, kept by nobody: what the benchmark measures.

import { summarise } from '../conversation/summary.ts'
import type { Project } from './found.ts'
import { loadProject, weaveSession } from './project.ts'

export interface Reconstructed {
  readonly conversations: number
  readonly records: number
  readonly turns: number
}

export function reconstructProject(project: Project): Reconstructed {
  const loaded = loadProject(project, { readsAgents: true })
  let turns = 0
  let records = 0
  for (const { transcript } of [...loaded.mains, ...loaded.agents]) records += transcript.envelopes.length
  for (const index of loaded.mains.keys()) turns += summarise(weaveSession(loaded, index, 'resume'), 0).turns
  return { conversations: loaded.mains.length, records, turns }
}
