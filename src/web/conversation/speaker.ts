// Who speaks is said once: at the first reply of a Turn, and where another model goes on.

import type { RowView } from '../../server/api/rows.ts'

const LOOKED_BACK = 40

export function isOtherModel(row: RowView, rowAt: (row: number) => RowView | undefined): boolean {
  if (row.kind !== 'reply' || !row.opensReply) return false
  for (let place = row.row - 1; place >= Math.max(0, row.row - LOOKED_BACK); place--) {
    const before = rowAt(place)
    if (before === undefined || before.turn !== row.turn) return true
    if (before.kind === 'reply') return before.model !== row.model
  }
  return true
}
