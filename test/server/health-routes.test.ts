// What `check` and `doctor` say, as a page gets it; and the raw line behind a position, of files of the archive alone.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PROBLEMS } from '../../src/base/problem.ts'
import { check } from '../../src/cli/check.ts'
import { doctor } from '../../src/cli/doctor.ts'
import { PROBLEM_DEEDS } from '../../src/render/problem-deeds.ts'
import type { Health } from '../../src/server/api/health.ts'
import type { Refusal } from '../../src/server/api/refusal.ts'
import { healthRoutes } from '../../src/server/health-routes.ts'
import { runHere } from '../cli/in-process.ts'
import { writeBelow } from '../cli/records.ts'
import { linesOf, newFolder, projectFolder, sample } from '../cli/run.ts'
import { corpus } from '../corpus/corpus.ts'
import type { OpenWorld } from './open-world.ts'
import { NOW_MS, openWorld } from './open-world.ts'

interface CheckedLine {
  readonly path: string
  readonly sizeBytes: number
  readonly recordCount: number
  readonly problemsByCode: Readonly<Record<string, { readonly count: number; readonly positions: readonly object[] }>>
  readonly drift: readonly { readonly kind: string; readonly name: string; readonly count: number }[]
}

const archives: readonly (readonly [string, string])[] = [
  ['the sample', sample],
  ...(corpus === null ? [] : [['the client’s corpus', join(corpus, 'client')] as const]),
  ...(corpus === null ? [] : [['odd names', join(corpus, 'public', 'odd-names')] as const]),
]

describe.each(archives)('%s', (_, root) => {
  let open: OpenWorld
  let health: Health
  let lines: readonly CheckedLine[]
  beforeAll(async () => {
    open = await openWorld(root, [healthRoutes])
    health = (await open.ask('/api/health')).json as Health
    const { out } = await runHere(check, ['--root', root, '--json', '--no-index'], NOW_MS)
    lines = linesOf(out).map((line) => JSON.parse(line) as CheckedLine)
  })
  afterAll(() => open.close())

  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

  test('totals are those of clew check', () => {
    const { files, bytes, records, problems } = health.totals
    expect({ bytes, records, problems }).toEqual({
      bytes: sum(lines.map(({ sizeBytes }) => sizeBytes)),
      records: sum(lines.map(({ recordCount }) => recordCount)),
      problems: sum(lines.flatMap((line) => Object.values(line.problemsByCode).map(({ count }) => count))),
    })
    expect(files).toBeLessThanOrEqual(lines.length)
  })

  test('kinds of problems are those of clew check, each with what it means', () => {
    const printed = new Map<string, number>()
    for (const { problemsByCode } of lines) {
      for (const [code, { count }] of Object.entries(problemsByCode))
        printed.set(code, (printed.get(code) ?? 0) + count)
    }
    expect(Object.fromEntries(health.codes.map(({ code, count }) => [code, count]))).toEqual(
      Object.fromEntries(printed),
    )
    for (const { code, severity, meaning } of health.codes) {
      expect([severity, meaning]).toEqual([...PROBLEMS[code as keyof typeof PROBLEMS]])
    }
  })

  test('only files with problems are listed, and drift as clew check counts it', () => {
    const troubled = lines
      .filter(({ problemsByCode }) => Object.keys(problemsByCode).length > 0)
      .map(({ path }) => path)
    expect(health.files.map(({ path }) => path).sort()).toEqual([...troubled].sort().slice(0, 200))
    expect(health.filesLeft).toBe(Math.max(0, troubled.length - 200))
    expect(sum(health.drift.map(({ count }) => count))).toBe(
      sum(lines.flatMap(({ drift }) => drift.map(({ count }) => count))),
    )
  })

  test('each position opens its raw bytes', async () => {
    const places = health.files.flatMap(({ file, path, problems }) =>
      problems.map((problem) => ({ file, path, problem })),
    )
    for (const { file, path, problem } of places.slice(0, 40)) {
      const { offset, length } = problem
      if (offset === null || length === null) continue
      const { status, type, text } = await open.ask(`/api/health/line?file=${file}&offset=${offset}&length=${length}`)
      expect({ status, type }).toEqual({ status: 200, type: 'text/plain; charset=utf-8' })
      expect(text).toBe(
        readFileSync(path)
          .subarray(offset, offset + length)
          .toString('utf8'),
      )
    }
  })
})

describe('over the sample', () => {
  let open: OpenWorld
  let health: Health
  beforeAll(async () => {
    open = await openWorld(sample, [healthRoutes], { nowMs: Date.now })
    health = (await open.ask('/api/health')).json as Health
  })
  afterAll(() => open.close())

  test('retention is what clew doctor says', async () => {
    const { out } = await runHere(doctor, ['--root', sample, '--no-index'], Date.now())
    const { retention, disk } = health
    expect(retention.days).toBe(30)
    for (const line of retention.lines) expect(out).toContain(line)
    expect(retention.keep).toEqual([{ path: join(sample, 'settings.json'), line: '"cleanupPeriodDays": 3650' }])
    expect(disk.map(({ project, sessions }) => [project, sessions])).toEqual([
      ['-home-ada-tidewatch', 3],
      ['-home-ada-dotfiles', 2],
    ])
  })

  test('bytes that were lost are counted', () => {
    expect(health.totals.lostBytes).toBe(367)
    expect(health.files[0]?.problems[0]).toMatchObject({ code: 'torn-record', severity: 'data-loss', line: 14 })
    expect(health.files[0]?.title).toBe('おはよう ☀️ in the zsh greeting')
  })

  test.each([
    ['', 404],
    ['file=nothing&offset=0&length=1', 404],
    ['file=FILE', 400],
    ['file=FILE&offset=-1&length=1', 400],
    ['file=FILE&offset=0&length=0', 400],
    ['file=FILE&offset=0&length=99999999', 400],
    ['file=FILE&offset=SIZE&length=1', 400],
    ['file=FILE&offset=999999999999999999&length=1', 400],
    ['file=FILE&offset=0x10&length=1', 400],
    ['file=FILE&offset=1.5&length=1', 400],
    ['file=FILE&offset=NaN&length=1', 400],
    ['file=../../etc/passwd&offset=0&length=1', 404],
    ['file=PATH&offset=0&length=1', 404],
    ['file=__proto__&offset=0&length=1', 404],
  ])('%s is refused', async (query, wanted) => {
    const { file = '', path = '', sizeBytes = 0 } = health.files[0] ?? {}
    const asked = query
      .replace('FILE', file)
      .replace('PATH', encodeURIComponent(path))
      .replace('SIZE', String(sizeBytes))
    const { status, json } = await open.ask(`/api/health/line?${asked}`)
    expect(status).toBe(wanted)
    expect((json as Refusal).error).not.toBe('')
  })

  test('names of paths lead nowhere', async () => {
    const tricks = ['..', '/', '%2e%2e', '..%2f', '\\', '\0', 'etc/passwd', 'file:///etc/passwd', '~', 'C:\\', '....//']
    for (const trick of tricks.flatMap((one) => [one, one.repeat(8), `${one}etc/passwd`, `${one}${sample}`])) {
      const { status } = await open.ask(`/api/health/line?file=${encodeURIComponent(trick)}&offset=0&length=10`)
      expect([trick, status]).toEqual([trick, 404])
    }
  })
})

test('bytes that are no text are shown as such, and very many problems are counted', async () => {
  const root = newFolder('archive')
  const bad = Buffer.concat(Array.from({ length: 120 }, () => Buffer.from([0xff, 0xfe, 0x7b, 0x0a])))
  const files = Object.fromEntries(
    Array.from({ length: 230 }, (_, place) => [
      `projects/-home-ada-x/${place}0000000-0000-4000-8000-000000000000.jsonl`,
      bad,
    ]),
  )
  writeBelow(root, files)
  const open = await openWorld(root, [healthRoutes])
  const health = (await open.ask('/api/health')).json as Health
  expect(health.files.length).toBe(200)
  expect(health.filesLeft).toBe(30)
  expect(health.totals.files).toBe(230)
  const [first] = health.files
  expect(first?.problems.length).toBe(50)
  expect(first?.problemsLeft).toBeGreaterThan(0)
  const { text } = await open.ask(`/api/health/line?file=${first?.file}&offset=0&length=3`)
  expect(text).toBe('\ufffd\ufffd{')
  open.close()
})

test('what Clew does about a problem is what the page of problems says', () => {
  const page = readFileSync(join(projectFolder, 'docs/problems.md'), 'utf8')
  for (const [code, deed] of Object.entries(PROBLEM_DEEDS)) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${code}\` |`))
    expect(row?.replaceAll('`', '')).toContain(`| ${deed} |`)
  }
})
