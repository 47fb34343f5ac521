// What there is to know about a conversation beyond its numbers, as few and as short as possible.

import type { JSX } from 'react'
import type { HomeRow } from '../../server/api/home.ts'
import { RUN_WORDS } from '../parts/running.tsx'
import { counted } from '../parts/units.ts'

interface Badge {
  readonly words: string
  readonly title: string
  readonly look: '' | 'good' | 'warn' | 'bad' | 'thread'
}

export function Badges({ row, worktree }: { readonly row: HomeRow; readonly worktree: string | null }): JSX.Element {
  return (
    <span className="badges">
      {row.running === null ? null : (
        <span className={`badge ${row.running === 'running' ? 'good' : row.running === 'waiting' ? 'warn' : ''}`}>
          <span className={`dot ${row.running}`} />
          {RUN_WORDS[row.running]}
        </span>
      )}
      {badgesOf(row, worktree).map(({ words, title, look }) => (
        <span key={title} className={`badge ${look}`} title={title}>
          {words}
        </span>
      ))}
    </span>
  )
}

function badgesOf(row: HomeRow, worktree: string | null): readonly Badge[] {
  const badges: Badge[] = []
  const add = (is: boolean, words: string, title: string, look: Badge['look'] = ''): void => {
    if (is) badges.push({ words, title, look })
  }
  add(row.isGone, 'deleted', 'Its file was deleted; this is what the index remembers', 'warn')
  add(row.isCopy, 'archive copy', 'Its file was deleted; this is the copy that the archive has', 'warn')
  add(row.problems > 0, counted(row.problems, 'problem'), 'Something is wrong in its files: see Health', 'bad')
  add(row.tag !== null, row.tag ?? '', 'Tag', 'thread')
  add(worktree !== null, worktree ?? '', `Worktree: ${row.project}`)
  add(
    row.compactions > 0,
    `compacted ×${row.compactions}`,
    `${counted(row.compactions, 'compaction')}; all is still there`,
  )
  add(row.branches > 1, counted(row.branches, 'branch', 'branches'), 'It was taken back and went on another way')
  add(row.forkOf !== null, 'fork', `Fork of ${row.forkOf}`)
  add(row.continues !== null, 'continuation', `Continues ${row.continues}`)
  add(row.subagents > 0, counted(row.subagents, 'subagent'), 'Agents that it started')
  add(row.isArchived, 'archived', 'Archived in the client')
  return badges
}
