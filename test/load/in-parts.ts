import { expect } from 'vitest'
import { turnPlaces } from '../../src/conversation/turn-places.ts'
import { checkProject, readForCheck } from '../../src/load/check.ts'
import type { FoundTranscripts, Project } from '../../src/load/found.ts'
import { wovenRows } from '../../src/load/list.ts'
import { partsOf } from '../../src/load/parts.ts'
import { loadFile } from '../../src/load/read.ts'

const NEVER = Number.POSITIVE_INFINITY

/** Every project says the same of each of its files, whether it is woven as a whole or in parts. Gives how many there are. */
export function expectPartsAreEnough({ projects }: Pick<FoundTranscripts, 'projects'>): number {
  let parts = 0
  for (const project of projects) {
    expect(toldOf(project, 0)).toEqual(toldOf(project, NEVER))
    expect(checkProject(project, readForCheck, 0)).toEqual(checkProject(project, readForCheck, NEVER))
    parts += [...partsOf(project, loadFile, 0)].length
  }
  return parts
}

function toldOf(project: Project, wholeBytes: number): ReadonlyMap<string, unknown> {
  return new Map(
    [...wovenRows(project, loadFile, wholeBytes)].map(({ row, woven, main }) => {
      const { earlier, joins, agents, relation } = woven.source
      const paths = [...earlier, ...agents].map(({ path }) => path)
      return [main.file.path, { row, relation, paths, joins: [...(joins ?? [])], places: turnPlaces(woven) }]
    }),
  )
}
