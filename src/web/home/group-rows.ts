// Sorted rows to the lines of the list: headings and rows. A group stands where its first row would.

import type { HomeRow } from '../../server/api/home.ts'
import type { Scope } from './view.ts'

export interface Group {
  /** The path of the Project, or of the repository it is a worktree of. */
  readonly path: string
  readonly rows: readonly HomeRow[]
}

export type ListLine =
  | { readonly kind: 'group'; readonly key: string; readonly group: Group; readonly isFolded: boolean }
  /** `place` counts rows from 1, over all groups. */
  | { readonly kind: 'row'; readonly key: string; readonly row: HomeRow; readonly place: number }

export function linesOf(rows: readonly HomeRow[], scope: Scope, folded: ReadonlySet<string>): readonly ListLine[] {
  if (scope === 'none') return rows.map((row, index) => lineOf(row, index + 1))
  const lines: ListLine[] = []
  let place = 0
  for (const group of groupsOf(rows, scope)) {
    const isFolded = folded.has(group.path)
    lines.push({ kind: 'group', key: `group ${group.path}`, group, isFolded })
    if (!isFolded) for (const row of group.rows) lines.push(lineOf(row, ++place))
  }
  return lines
}

function lineOf(row: HomeRow, place: number): ListLine {
  return { kind: 'row', key: row.id, row, place }
}

export function groupsOf(rows: readonly HomeRow[], scope: 'project' | 'repository'): readonly Group[] {
  const groups = new Map<string, HomeRow[]>()
  for (const row of rows) {
    const group = groups.get(row[scope])
    if (group === undefined) groups.set(row[scope], [row])
    else group.push(row)
  }
  return [...groups].map(([path, rows]) => ({ path, rows }))
}
