import type { Envelope } from '../record/model.ts'
import type { Citation } from './model.ts'

export const CITES_MAX = 20

export function cite(path: string, { line, offset, uuid }: Envelope): Citation {
  return { path, line, offset, uuid }
}

/** Each once, in the order they come; so many that a person can still look them up. */
export function joinCites(all: readonly (readonly Citation[])[]): readonly Citation[] {
  const joined = new Map<string, Citation>()
  for (const cites of all) {
    for (const one of cites) {
      const key = `${one.line} ${one.path}`
      if (!joined.has(key)) joined.set(key, one)
      if (joined.size === CITES_MAX) return [...joined.values()]
    }
  }
  return [...joined.values()]
}

/** As `clew show` takes it: `2ab65b76#07338147`, `2ab65b76/a3c070c#1018e442`, `2ab65b76#@1204` for a Record without a uuid. */
export function referenceOf({ path, offset, uuid }: Citation): string {
  const names = path.split(/[\\/]/)
  const name = (names.at(-1) ?? '').replace(/\.jsonl$/, '')
  const agent = /^agent-(.+)$/.exec(name)?.[1]
  const folder = names.lastIndexOf('subagents')
  const session = agent === undefined ? name : folder > 0 ? (names[folder - 1] ?? '') : ''
  const whose = agent === undefined ? session.slice(0, 8) : `${session.slice(0, 8)}/${agent}`
  return `${whose}#${recordName({ offset, uuid })}`
}

/** The beginning of its uuid; its place in the file where it has none, or one that is not made to be unlike others. */
export function recordName({ offset, uuid }: Pick<Citation, 'offset' | 'uuid'>): string {
  return uuid !== null && /^([0-9a-f])(?!\1{7})[0-9a-f]{7}-/.test(uuid) ? uuid.slice(0, 8) : `@${offset}`
}
