// Many files: limits, order, threads, files that cannot be read, and a user who has seen enough.

import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { scanFiles as scanHere } from '../../src/search/scan.ts'
import type { ScanResult, ScanTarget } from '../../src/search/scan-model.ts'
import { checkPattern } from '../../src/search/scan-pattern.ts'
import { scanFiles } from './scan-built.ts'
import { exact, exactAnyCase, newFolder, regex, writeTarget } from './scan-case.ts'

const line = (text: string): string => `${JSON.stringify({ type: 'user', message: { content: text } })}\n`

/** Five files with 0, 1, 2, 3 and 4 hits. */
const few = ((folder) =>
  [0, 1, 2, 3, 4].map((count) =>
    writeTarget(folder, `${count}.jsonl`, line('hay') + line(`needle ${count}`).repeat(count) + line('hay')),
  ))(newFolder())

/** So much that two threads share it. */
const many = ((folder) => {
  const hay = line('hay '.repeat(20_000)).repeat(20)
  return Array.from({ length: 40 }, (_, index) =>
    writeTarget(folder, `${index}.jsonl`, hay + line(`needle ${index}`).repeat(index % 4) + hay),
  )
})(newFolder())

const summary = ({ hits, isCut }: ScanResult): string =>
  `${hits.map((hit) => hit.excerpt.text.replace('needle ', '')).join('')}${isCut ? '…' : ''}`

describe('limits', () => {
  test.each([
    [{}, '1223334444'],
    [{ limit: 10 }, '1223334444'],
    [{ limit: 9 }, '122333444…'],
    [{ limit: 3 }, '122…'],
    [{ limit: 0 }, '…'],
    [{ limitPerFile: 4 }, '1223334444'],
    [{ limitPerFile: 2 }, '12' + '2' + '33' + '44…'],
    [{ limitPerFile: 1, limit: 3 }, '123…'],
    [{ limitPerFile: 3, limit: 100 }, '122333444…'],
  ])('%j', async (options, expected) => {
    expect(summary(await scanHere(few, exact('needle'), options))).toBe(expected)
    expect(summary(await scanFiles(few, exact('needle'), options))).toBe(expected)
    expect(summary(await scanFiles(few, regex('ne+dle \\d'), options))).toBe(expected)
  })
})

describe('very long texts', () => {
  const long = `${'a/É🌊'.repeat(10_000)}.`
  const folder = newFolder()
  const almost = `${long.slice(0, -1)},`
  const target = writeTarget(folder, 'long.jsonl', line('hay') + line(`🌊 ${almost} ${long.toLowerCase()}`))

  test.each([
    [exact(long.toLowerCase()), 1],
    [exactAnyCase(long), 1],
    [exactAnyCase(long.slice(8, -1)), 1],
    [exactAnyCase(`${long}x`), 0],
  ])('%#', async (pattern, count) => {
    expect((await scanHere([target], pattern)).hits).toHaveLength(count)
  })

  test('a regex that is too long is refused', () => {
    for (const times of [30_000, 100_000]) expect(checkPattern(regex('a\\/'.repeat(times)))).not.toBeNull()
    expect(checkPattern(regex('a\\/'.repeat(1000)))).toBeNull()
  })
})

describe('two threads', () => {
  const totalBytes = many.reduce((sum, target) => sum + target.sizeBytes, 0)
  const expected = many.flatMap((_, index) => Array.from({ length: index % 4 }, () => `needle ${index}`))

  test.each([
    ['a literal', exact('needle')],
    ['a regex with something to look for', regex('nee+dle \\d+')],
    ['a regex without', regex('[n]ee[d]le \\d+')],
  ])('%s is found in the order of the files', async (_, pattern) => {
    const steps: number[] = []
    const onProgress = (doneBytes: number, ofBytes: number): void => {
      expect(ofBytes).toBe(totalBytes)
      steps.push(doneBytes)
    }
    const { hits, isCut, problems } = await scanFiles(many, pattern, { onProgress })
    expect(hits.map((hit) => hit.excerpt.text)).toEqual(expected)
    expect([isCut, problems]).toEqual([false, []])
    expect(steps).toEqual([...steps].sort((one, other) => one - other))
    expect(steps.at(-1)).toBe(totalBytes)
  })

  test('a limit gives the first hits, however fast each thread is', async () => {
    for (const pattern of [exact('needle'), regex('needle')]) {
      let doneBytes = 0
      const onProgress = (bytes: number): void => {
        doneBytes = bytes
      }
      const { hits, isCut } = await scanFiles(many, pattern, { limit: 17, onProgress })
      expect(hits.map((hit) => hit.excerpt.text)).toEqual(expected.slice(0, 17))
      expect(isCut).toBe(true)
      expect(doneBytes).toBeLessThan(totalBytes)
    }
  })
})

describe('what cannot be read is a Problem, and the rest is searched', () => {
  const folder = newFolder()
  const good = writeTarget(folder, 'good.jsonl', line('needle'))
  const named = (name: string): ScanTarget => ({ path: join(folder, name), sizeBytes: 5, isSpill: false })

  test.each<[string, (path: string) => void, string]>([
    ['a FIFO', (path) => execFileSync('mkfifo', [path]), 'file-not-regular'],
    ['a folder', (path) => mkdirSync(path), 'file-not-regular'],
    ['a link', (path) => symlinkSync(good.path, path), 'file-not-regular'],
    ['nothing', () => undefined, 'file-unreadable'],
  ])('%s', async (name, make, code) => {
    const odd = named(`${name}.jsonl`)
    make(odd.path)
    for (const isSpill of [false, true]) {
      for (const pattern of [exact('needle'), regex('needle')]) {
        const { hits, problems } = await scanFiles([{ ...odd, isSpill }, good], pattern)
        expect(hits.map(({ path }) => path)).toEqual([good.path])
        expect(problems.map((found) => [found.code, found.position?.path])).toEqual([[code, odd.path]])
      }
    }
  })

  test.skipIf(process.getuid?.() === 0)('a file without permission', async () => {
    const secret = writeTarget(folder, 'secret.jsonl', line('needle'))
    chmodSync(secret.path, 0)
    const { hits, problems } = await scanHere([secret, good], exact('needle'))
    expect([hits.length, problems.map((found) => found.code)]).toEqual([1, ['file-unreadable']])
  })

  test('an empty file and no file at all', async () => {
    const empty = writeTarget(folder, 'empty.jsonl', '')
    for (const pattern of [exact('needle'), regex('needle')]) {
      expect(await scanFiles([empty], pattern)).toEqual({ hits: [], isCut: false, problems: [] })
      expect(await scanFiles([], pattern)).toEqual({ hits: [], isCut: false, problems: [] })
    }
  })
})

describe('a scan that is not wanted any more', () => {
  test('ends', async () => {
    for (const pattern of [exact('needle'), regex('[n]eedle')]) {
      const abort = new AbortController()
      const scan = scanFiles(many, pattern, { signal: abort.signal })
      setTimeout(() => abort.abort(new Error('enough')), 5)
      await expect(scan).rejects.toThrow('enough')
    }
  })

  test('ends where there is one thread', async () => {
    const abort = new AbortController()
    const options = { signal: abort.signal, onProgress: () => abort.abort(new Error('enough')) }
    await expect(scanHere(few, exact('needle'), options)).rejects.toThrow('enough')
  })

  test('does not begin', async () => {
    await expect(scanHere(few, exact('needle'), { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow()
  })
})

describe('a pattern that cannot be searched for', () => {
  test.each([
    [exact(''), 'the pattern is empty'],
    [regex(''), 'the pattern is empty'],
    [regex('(a'), 'Unterminated group'],
    [regex('a**'), 'Nothing to repeat'],
    [regex('(?i)a'), 'Invalid group'],
    [regex('[b-a]'), 'Range out of order in character class'],
  ])('%j', async (pattern, reason) => {
    expect(checkPattern(pattern)).toBe(reason)
    await expect(scanHere([], pattern)).rejects.toThrow(reason)
  })

  test.each([exact('('), regex('a\\-b'), regex('(a)\\1'), regex('\\p{L}')])('%j can be', (pattern) => {
    expect(checkPattern(pattern)).toBe(null)
  })
})
