import type { UsageRow, UsageTable } from '../digest/usage-rows.ts'
import { Failure } from './failure.ts'

/** By its key or the beginning of it; a project also by its path. */
export function rowNamed(typed: string, { rows }: UsageTable, pathOf: (projectKey: string) => string): UsageRow {
  const namesOf = ({ key, members }: UsageRow): readonly string[] => [
    key ?? '',
    pathOf(members[0]?.source.projectKey ?? ''),
  ]
  const exact = rows.filter((row) => row.key === typed)
  const found = exact.length > 0 ? exact : rows.filter(({ key }) => key?.startsWith(typed))
  const named = found.length > 0 ? found : rows.filter((row) => namesOf(row).includes(typed))
  const [first, second] = named
  if (first === undefined) {
    const some = rows.slice(0, 3).map(({ key }) => key)
    throw new Failure(`there is no row “${typed}”. Rows are ${some.join(', ')}${rows.length > 3 ? ', …' : ''}`)
  }
  if (second !== undefined)
    throw new Failure(`“${typed}” fits ${named.length} rows, ${first.key} and ${second.key} among them`)
  return first
}
