// What somebody wants of every page of the notebook, from `$XDG_CONFIG_HOME/clew/journal.json`; most people have none.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { list, number, object, text } from '../record/fields.ts'

export interface JournalSettings {
  readonly out: string | null
  readonly tz: string | null
  readonly dayStart: number | null
  readonly exclude: readonly string[]
}

export type ReadSettings =
  | { readonly settings: JournalSettings; readonly wrong: null }
  | { readonly settings: null; readonly wrong: string }

export interface SettingsPlace {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
}

const KEYS: ReadonlySet<string> = new Set(['out', 'tz', 'dayStart', 'exclude'])

export function readJournalSettings({ environment, home }: SettingsPlace): ReadSettings {
  const path = join(environment['XDG_CONFIG_HOME'] || join(home, '.config'), 'clew', 'journal.json')
  if (!existsSync(path)) return { settings: { out: null, tz: null, dayStart: null, exclude: [] }, wrong: null }
  const wrong = (reason: string): ReadSettings => ({ settings: null, wrong: `${path}: ${reason}` })
  let parsed: unknown
  try {
    parsed = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error))
  }
  const said = object(parsed)
  if (said === null) return wrong('not a JSON object')
  const strange = Object.keys(said).find((key) => !KEYS.has(key))
  if (strange !== undefined) return wrong(`there is no setting “${strange}”; there are ${[...KEYS].join(', ')}`)
  const dayStart = number(said['dayStart'])
  if (said['dayStart'] !== undefined && !isHour(dayStart)) return wrong('dayStart takes an hour from 0 to 23')
  const exclude = said['exclude'] === undefined ? [] : list(said['exclude'])
  if (exclude === null || !exclude.every((one) => typeof one === 'string'))
    return wrong('exclude takes a list of globs')
  const out = text(said['out'])
  return {
    settings: {
      out: out === null ? null : resolve(dirname(path), out.replace(/^~(?=\/)/, home)),
      tz: text(said['tz']),
      dayStart,
      exclude,
    },
    wrong: null,
  }
}

function isHour(value: number | null): boolean {
  return value !== null && Number.isInteger(value) && value >= 0 && value <= 23
}
