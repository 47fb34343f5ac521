import type { LedgerRow, LedgerTable } from '../digest/usage-rows.ts'
import { Failure } from './failure.ts'

/** By its key or the beginning of it; a project also by its path. */
export function rowNamed(typed: string, { rows }: LedgerTable, pathOf: (projectKey: string) => string): LedgerRow {
  const namesOf = ({ key, projectKey }: LedgerRow): readonly string[] => [key ?? '', pathOf(projectKey ?? '')]
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
