// Which rows fit. Filtering ten thousand of them is done at every key, so a row's texts are put together and made small
// once, when it is first asked about.

import type { Activity, HomeRow } from '../../server/api/home.ts'
import { dayIn } from '../parts/days.ts'
import type { HomeView, Mark } from './view.ts'

export interface Finding {
  readonly activity: Activity | null
  readonly timeZone: string
}

export function findRows(rows: readonly HomeRow[], view: HomeView, finding: Finding): readonly HomeRow[] {
  const words = view.words.toLowerCase().split(/\s+/).filter(Boolean)
  const { project, marks, days } = view
  const isOn = days === null ? null : activeBetween(days.from, days.to, finding)
  if (words.length === 0 && project === null && marks.length === 0 && isOn === null) return rows
  return rows.filter(
    (row) =>
      (project === null || row.project === project || row.repository === project) &&
      marks.every((mark) => hasMark(row, mark)) &&
      (words.length === 0 || hasWords(row, words)) &&
      (isOn === null || isOn(row)),
  )
}

/** Does beforehand what the first key would have to wait for, from one row on; gives back where it stopped. */
export function prepareRows(rows: readonly HomeRow[], from: number, number: number): number {
  const to = Math.min(rows.length, from + number)
  for (const row of rows.slice(from, to)) haystackOf(row)
  return to
}

export function hasMark(row: HomeRow, mark: Mark): boolean {
  if (mark === 'running') return row.running !== null
  if (mark === 'problems') return row.problems > 0
  if (mark === 'compacted') return row.compactions > 0
  if (mark === 'branched') return row.branches > 1
  return row.subagents > 0
}

const haystacks = new WeakMap<HomeRow, string>()
const PROMPT_MAX = 500

function hasWords(row: HomeRow, words: readonly string[]): boolean {
  const haystack = haystackOf(row)
  for (const word of words) if (!haystack.includes(word) && !row.id.startsWith(word)) return false
  return true
}

function haystackOf(row: HomeRow): string {
  const known = haystacks.get(row)
  if (known !== undefined) return known
  const { title, firstPrompt, project, repository, gitBranch, model, tag } = row
  const texts = [title, firstPrompt?.slice(0, PROMPT_MAX), project, repository, gitBranch, model, tag]
  const haystack = texts.join('\n').toLowerCase()
  haystacks.set(row, haystack)
  return haystack
}

/** The accounts say on which days a session was at work. One without any was there from its first to its last change. */
function activeBetween(from: string, to: string, { activity, timeZone }: Finding): (row: HomeRow) => boolean {
  const there = new Set<string>()
  for (const { day, sessions } of activity?.days ?? [])
    if (from <= day && day <= to) for (const id of sessions) there.add(id)
  return (row) => {
    if (there.has(row.id)) return true
    if (activity?.sessions[row.id] !== undefined) return false
    const first = dayIn(timeZone, row.createdMs ?? row.modifiedMs)
    return first <= to && from <= dayIn(timeZone, row.modifiedMs)
  }
}
