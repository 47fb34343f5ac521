// What the options of the notebook mean, with what its settings file says for those that were not given.

import { basename, dirname, resolve } from 'node:path'
import { dateAfter, dateIn, isDate, mondayOf, zoneName } from '../base/zone.ts'
import type { ListedConversation } from '../load/list.ts'
import { dayOf } from '../notebook/day.ts'
import { excluder } from '../notebook/exclude.ts'
import type { Day } from '../notebook/gather.ts'
import { readJournalSettings } from '../notebook/settings.ts'
import type { World } from './command.ts'
import { wholeNumber } from './command.ts'
import { Failure } from './failure.ts'
import { conversationFilter } from './scope.ts'

export interface JournalWords {
  readonly date?: string | undefined
  readonly week?: boolean | undefined
  readonly project?: string | undefined
  readonly here?: boolean | undefined
  readonly repo?: boolean | undefined
  readonly out?: string | undefined
  readonly tz?: string | undefined
  readonly 'day-start'?: string | undefined
  readonly exclude?: readonly string[] | undefined
}

export interface JournalChoice {
  readonly zone: string
  readonly startHour: number
  readonly days: readonly Day[]
  readonly out: string | null
  readonly isWanted: (row: ListedConversation) => boolean
}

export function chooseJournal(words: JournalWords, world: World): JournalChoice {
  const { settings, wrong } = readJournalSettings(world)
  if (settings === null) throw new Failure(wrong)
  const typed = words.tz ?? settings.tz ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const zone = zoneName(typed)
  if (zone === null) throw new Failure(`there is no time zone “${typed}”; one is called Europe/Berlin, another UTC`)
  const startHour =
    words['day-start'] === undefined ? (settings.dayStart ?? 0) : wholeNumber(words['day-start'], 'day-start')
  if (startHour > 23) throw new Failure(`--day-start takes an hour from 0 to 23, not ${startHour}`)
  const date = dateOf(words.date ?? 'today', dateIn(world.nowMs, zone, startHour))
  const dates = words.week ? [0, 1, 2, 3, 4, 5, 6].map((day) => dateAfter(mondayOf(date), day)) : [date]
  const out = words.out ?? settings.out
  const isExcluded = excluder([...(words.exclude ?? []), ...settings.exclude])
  const inScope = conversationFilter(words, world.folder)
  return {
    zone,
    startHour,
    days: dates.map((one) => dayOf(one, zone, startHour)),
    out: out === null ? null : resolve(world.folder, out),
    isWanted: (row) => inScope(row) && !isExcluded(row.project, basename(dirname(row.path))),
  }
}

function dateOf(word: string, today: string): string {
  if (word === 'today') return today
  if (word === 'yesterday') return dateAfter(today, -1)
  if (!isDate(word)) throw new Failure(`--date takes today, yesterday or a date like 2026-11-14, not “${word}”`)
  return word
}
