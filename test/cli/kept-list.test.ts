// A list that is shown again from what was kept of it says what a list without any index says, whatever has changed.

import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { clew, newFolder, sample } from './run.ts'

interface Place {
  readonly root: string
  readonly cache: string
}

/** As long as a folder or the index must have been left alone before its times are relied on. */
const REST_MS = 2200

function run({ root, cache }: Place, ...words: readonly string[]): string {
  const { status, out, err } = clew([...words, '--root', root], { env: { XDG_CACHE_HOME: cache } })
  // The latest conversation of the sample has a line that was torn.
  const isShown = words[0] === 'show'
  expect([status, isShown ? err.replace(/^clew: 1 line could not be read in full\..*\n$/, '') : err]).toEqual([0, ''])
  return out
}

function kept({ cache }: Place): readonly string[] {
  const folder = join(cache, 'clew', 'walks')
  return existsSync(folder) ? readdirSync(folder).map((name) => name.replace(/^.*\./, '')) : []
}

async function rested(): Promise<Place> {
  const place = { root: join(newFolder('claude'), '.claude'), cache: newFolder('cache') }
  cpSync(sample, place.root, { recursive: true })
  run(place, 'list')
  // Nothing is kept of folders that have just been made.
  run(place, 'list')
  expect(kept(place)).toEqual([])
  await setTimeout(REST_MS)
  run(place, 'list')
  await setTimeout(REST_MS)
  run(place, 'list')
  expect(kept(place)).toEqual(process.platform === 'linux' ? ['list', 'walk'] : [])
  return place
}

const LISTS: readonly (readonly string[])[] = [
  ['list'],
  ['list', '--limit', '2'],
  ['list', '--project', 'tide'],
  ['list', '--json'],
  ['list', '--gone', '--json'],
  ['show', 'latest'],
]

function expectSame(place: Place): void {
  for (const words of LISTS) {
    if (words.includes('--gone')) run(place, ...words)
    else expect(run(place, ...words)).toBe(run(place, ...words, '--no-index'))
  }
}

test('is the same list, and no longer once something has changed', { timeout: 120_000 }, async () => {
  const place = await rested()
  expectSame(place)
  const projects = join(place.root, 'projects')
  const [project = ''] = readdirSync(projects).map((name) => join(projects, name))
  const [file = ''] = readdirSync(project).filter((name) => name.endsWith('.jsonl'))
  const transcript = join(project, file)
  const sessionFolder = transcript.slice(0, -'.jsonl'.length)
  const changes: readonly (() => void)[] = [
    () => appendFileSync(transcript, '{"type":"custom-title","customTitle":"another name","sessionId":"x"}\n'),
    () => {
      mkdirSync(sessionFolder, { recursive: true })
      writeFileSync(join(sessionFolder, 'custom-title.json'), '{"customTitle":"a third name"}')
    },
    () => writeFileSync(join(sessionFolder, 'custom-title.json'), '{"customTitle":"a fourth name of it"}'),
    () => cpSync(transcript, join(project, '00000000-0000-4000-8000-000000000000.jsonl')),
    () => rmSync(join(project, '00000000-0000-4000-8000-000000000000.jsonl')),
  ]
  for (const [index, change] of changes.entries()) {
    change()
    if (index === changes.length - 1) continue
    expectSame(place)
  }
  // What was deleted is told, also when the rest was kept.
  const { err } = clew(['list', '--root', place.root], { env: { XDG_CACHE_HOME: place.cache } })
  expect(err).toContain('1 conversation deleted since')
  const again = clew(['list', '--root', place.root], { env: { XDG_CACHE_HOME: place.cache } })
  expect(again.err).toContain('1 conversation deleted since')
})

test('is not shown when the index has gone, or what was kept is damaged', { timeout: 120_000 }, async () => {
  const place = await rested()
  const expected = run(place, 'list', '--no-index')
  const folder = join(place.cache, 'clew', 'walks')
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), 'nothing of the kind')
  expect(run(place, 'list')).toBe(expected)
  rmSync(join(place.cache, 'clew', 'index.sqlite'))
  expect(run(place, 'list')).toBe(expected)
  expect(existsSync(join(place.cache, 'clew', 'index.sqlite'))).toBe(true)
})
