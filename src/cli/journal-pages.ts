// The pages of the notebook on disk: one for each day on which something was done.

import { join } from 'node:path'
import type { JournalDay } from '../digest/journal.ts'
import { makeFolders, readWhole, replaceFile } from '../disk/durable.ts'
import { REAL_DISK } from '../disk/real-disk.ts'
import type { PageState } from '../notebook/page.ts'
import { emptyNotes, writePage } from '../notebook/page.ts'
import { dayMarkdown, pageHead, shortName } from '../render/journal.ts'
import { writeError } from '../store/store-error.ts'
import type { World } from './command.ts'
import { Failure } from './failure.ts'
import type { JournalChoice } from './journal-choice.ts'
import type { DayProse } from './journal-prose.ts'

export interface PageOptions {
  readonly prose: DayProse
  readonly force: boolean
  /** Standard output is for JSON alone. */
  readonly isQuiet: boolean
}

const WORDS: Readonly<Record<PageState, string>> = {
  new: 'written',
  changed: 'brought up to date',
  unchanged: 'unchanged',
  unmarked: 'left alone: the mark <!-- clew:end --> is gone from it; put it back behind what Clew wrote',
  edited: 'left alone: what Clew wrote there was changed by hand (--force writes it anew)',
}

/** 1 when a page had to be left alone. */
export async function writePages(
  days: readonly JournalDay[],
  { out, zone }: JournalChoice,
  { prose, force, isQuiet }: PageOptions,
  world: World,
): Promise<number> {
  const folder = out ?? ''
  let left = 0
  for (const day of days) {
    if (day.projects.length === 0) continue
    const path = join(folder, `${day.date}.md`)
    const layout = {
      zone,
      prose: prose.get(day.date) ?? new Map(),
      projectEnd: ({ project }: { readonly project: string }) => emptyNotes(shortName(project)),
    }
    const page = await onDisk(path, async () => {
      const existing = REAL_DISK.stat(path) === null ? null : readWhole(REAL_DISK, path).toString('utf8')
      const made = writePage(existing, pageHead(day.date), dayMarkdown(day, layout), force)
      if (made.state === 'new' || made.state === 'changed') {
        await makeFolders(REAL_DISK, folder)
        await replaceFile(REAL_DISK, path, Buffer.from(made.text, 'utf8'))
      }
      return made
    })
    const isLeft = page.state === 'edited' || page.state === 'unmarked'
    if (isLeft) left++
    const told = `${path}: ${WORDS[page.state]}`
    if (isQuiet || isLeft) world.output.note(`clew: ${told}`)
    else world.output.print(told)
  }
  if (days.every(({ projects }) => projects.length === 0))
    world.output.note('clew: nothing was done on these days; no page written')
  return left === 0 ? 0 : 1
}

async function onDisk<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw new Failure(writeError(path, error).message)
  }
}
