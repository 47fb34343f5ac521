// The notebook by day: the page that the command prints, the days around it, and where its citations lead.

import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { journal } from '../../src/cli/journal.ts'
import type { JournalDay, JournalDays } from '../../src/server/api/journal.ts'
import type { Refusal } from '../../src/server/api/refusal.ts'
import { journalRoutes } from '../../src/server/journal-routes.ts'
import { runHere } from '../cli/in-process.ts'
import { writeBelow } from '../cli/records.ts'
import { newFolder, sample } from '../cli/run.ts'
import { corpus } from '../corpus/corpus.ts'
import type { OpenWorld } from './open-world.ts'
import { NOW_MS, openWorld } from './open-world.ts'

const archives: readonly (readonly [string, string])[] = [
  ['the sample', sample],
  ...(corpus === null ? [] : [['the client’s corpus', join(corpus, 'client', '2.1.325')] as const]),
]

describe.each(archives)('%s', (_, root) => {
  let open: OpenWorld
  beforeAll(async () => {
    open = await openWorld(root, [journalRoutes])
  })
  afterAll(() => open.close())

  const days = async (): Promise<JournalDays['days']> =>
    ((await open.ask('/api/journal/days')).json as JournalDays).days

  test('each day is the page of the command', async () => {
    const found = await days()
    expect(found.length).toBeGreaterThan(0)
    for (const { day, turns, projects } of found.slice(0, 8)) {
      const { status, json } = await open.ask(`/api/journal?date=${day}`)
      expect(status).toBe(200)
      const { markdown, day: told } = json as JournalDay
      const { out } = await runHere(journal, ['--date', day, '--root', root, '--tz', 'UTC', '--no-index'], NOW_MS)
      expect(markdown).toBe(out.replace(/\n$/, ''))
      expect({ told, isSome: turns > 0 && projects > 0 }).toEqual({ told: day, isSome: true })
    }
  })

  test('days lead to each other', async () => {
    const found = (await days()).map(({ day }) => day)
    expect(found).toEqual([...found].sort().reverse())
    for (const [place, day] of found.slice(0, 5).entries()) {
      const { before, after } = (await open.ask(`/api/journal?date=${day}`)).json as JournalDay
      expect({ before, after }).toEqual({ before: found[place + 1] ?? null, after: found[place - 1] ?? null })
    }
  })

  test('every citation of a page leads somewhere', async () => {
    for (const { day } of (await days()).slice(0, 5)) {
      const { markdown, citations } = (await open.ask(`/api/journal?date=${day}`)).json as JournalDay
      const cited = [...markdown.matchAll(/`([0-9a-f]{8}(?:\/[\w-]+)?#[@\w-]+)`/g)].map(([, text = '']) => text)
      expect(cited.filter((text) => citations[text] === undefined)).toEqual([])
      for (const { id, record } of Object.values(citations)) {
        expect(id).not.toBe('')
        if (record !== null) expect(record).toMatch(/^@\d+$|^[0-9a-f-]{36}$/)
      }
    }
  })
})

test('a day that begins at ten in the evening, and projects that are left out', async () => {
  const config = newFolder('config')
  writeBelow(config, { 'clew/journal.json': JSON.stringify({ dayStart: 22, exclude: ['dotfiles'] }) })
  const open = await openWorld(sample, [journalRoutes], { environment: { XDG_CONFIG_HOME: config } })
  const { days } = (await open.ask('/api/journal/days')).json as JournalDays
  const pages = await Promise.all(
    days.map(async ({ day }) => ((await open.ask(`/api/journal?date=${day}`)).json as JournalDay).markdown),
  )
  expect(pages.join('')).not.toContain('dotfiles')
  expect(pages.join('')).toContain('tidewatch')
  open.close()
})

test('a day with nothing in it, a day that is none', async () => {
  const open = await openWorld(sample, [journalRoutes])
  const empty = (await open.ask('/api/journal?date=2026-10-20')).json as JournalDay
  expect(empty).toMatchObject({ day: '2026-10-20', markdown: '', before: null })
  expect(empty.after).toMatch(/^2026-10-/)
  expect(((await open.ask('/api/journal')).json as JournalDay).day).toBe('2026-10-30')
  for (const date of ['yesterday', '2026-13-01', '2026-02-30', '../../etc/passwd', '20261014']) {
    const { status, json } = await open.ask(`/api/journal?date=${encodeURIComponent(date)}`)
    expect([date, status]).toEqual([date, 400])
    expect((json as Refusal).error).toMatch(/^date takes a day/)
  }
  open.close()
})
