// What is new taken into what is known. Rows that did not change stay the same objects, so that nothing is drawn again
// for them.

import type { Home, HomeRow } from '../../server/api/home.ts'
import type { LiveMessage, RunningSession } from '../../server/api/live.ts'

export function homeAfter(home: Home, message: LiveMessage): Home {
  if (message.kind === 'list') return mergeRows(home, message.rows, message.removed)
  if (message.kind === 'sessions') return mergeRunning(home, message.running)
  return message.kind === 'indexing' ? { ...home, indexing: message.indexing } : home
}

function mergeRows(home: Home, changed: readonly HomeRow[], removed: readonly string[]): Home {
  const news = new Map(changed.map((row) => [row.id, row]))
  const gone = new Set(removed)
  const kept = home.rows.flatMap((row) => {
    const now = news.get(row.id) ?? row
    news.delete(row.id)
    return gone.has(row.id) ? [] : [now]
  })
  return { ...home, rows: [...[...news.values()].filter(({ id }) => !gone.has(id)), ...kept] }
}

function mergeRunning(home: Home, running: readonly RunningSession[]): Home {
  const states = new Map(running.map(({ id, state }) => [id, state]))
  let isSame = true
  const rows = home.rows.map((row) => {
    const state = states.get(row.id) ?? null
    if (state === row.running) return row
    isSame = false
    return { ...row, running: state }
  })
  return isSame ? home : { ...home, rows }
}
