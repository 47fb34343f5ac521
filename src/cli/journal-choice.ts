// What the options of the notebook mean, with what its settings file says for those that were not given.

import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { dateAfter, dateIn, isDate, mondayOf, startOfDate, zoneName } from '../base/zone.ts'
import type { ListedConversation } from '../load/list.ts'
import { excluder } from '../notebook/exclude.ts'
import type { Day } from '../notebook/gather.ts'
import { list, number, object, text } from '../record/fields.ts'
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
  const settings = readSettings(world)
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

export function dayOf(date: string, zone: string, startHour: number): Day {
  return {
    date,
    fromMs: startOfDate(date, zone, startHour),
    toMs: startOfDate(dateAfter(date, 1), zone, startHour),
  }
}

function dateOf(word: string, today: string): string {
  if (word === 'today') return today
  if (word === 'yesterday') return dateAfter(today, -1)
  if (!isDate(word)) throw new Failure(`--date takes today, yesterday or a date like 2026-11-14, not “${word}”`)
  return word
}

interface Settings {
  readonly out: string | null
  readonly tz: string | null
  readonly dayStart: number | null
  readonly exclude: readonly string[]
}

const KEYS: ReadonlySet<string> = new Set(['out', 'tz', 'dayStart', 'exclude'])

/** `$XDG_CONFIG_HOME/clew/journal.json`; none is there for most people. */
function readSettings({ environment, home }: World): Settings {
  const path = join(environment['XDG_CONFIG_HOME'] || join(home, '.config'), 'clew', 'journal.json')
  if (!existsSync(path)) return { out: null, tz: null, dayStart: null, exclude: [] }
  const settings = object(parsed(path))
  if (settings === null) throw new Failure(`${path}: not a JSON object`)
  const strange = Object.keys(settings).find((key) => !KEYS.has(key))
  if (strange !== undefined)
    throw new Failure(`${path}: there is no setting “${strange}”; there are ${[...KEYS].join(', ')}`)
  const dayStart = number(settings['dayStart'])
  if (
    settings['dayStart'] !== undefined &&
    (dayStart === null || !Number.isInteger(dayStart) || dayStart < 0 || dayStart > 23)
  )
    throw new Failure(`${path}: dayStart takes an hour from 0 to 23`)
  const exclude = settings['exclude'] === undefined ? [] : list(settings['exclude'])
  if (exclude === null || !exclude.every((one) => typeof one === 'string'))
    throw new Failure(`${path}: exclude takes a list of globs`)
  const out = text(settings['out'])
  return {
    out: out === null ? null : resolve(dirname(path), out.replace(/^~(?=\/)/, home)),
    tz: text(settings['tz']),
    dayStart,
    exclude,
  }
}

function parsed(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Failure(`${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
