// Code that V8 made is kept, used, and never believed: whatever becomes of the file, a command says the same.

import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clew, newFolder, sample } from './run.ts'

const WORDS = ['list', '--json', '--root', sample]
const expected = clew(WORDS, { env: { NODE_DISABLE_COMPILE_CACHE: '1' } }).out

function listIn(cache: string, more: Readonly<Record<string, string>> = {}): string {
  const { status, out, err } = clew(WORDS, { env: { XDG_CACHE_HOME: cache, ...more } })
  expect([status, err]).toEqual([0, ''])
  return out
}

function codeIn(cache: string): string {
  return join(cache, 'clew', 'code', 'list.code')
}

test('is kept for each command, for this user alone, and made a few times only', () => {
  const cache = newFolder('cache')
  expect(listIn(cache)).toBe(expected)
  const path = codeIn(cache)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700)
  expect(readdirSync(join(path, '..'))).toEqual(['list.code'])
  // What the first run needs is not what the others need.
  for (let run = 0; run < 3; run++) expect(listIn(cache)).toBe(expected)
  const { mtimeMs, ino } = statSync(path)
  expect(listIn(cache)).toBe(expected)
  expect([statSync(path).mtimeMs, statSync(path).ino]).toEqual([mtimeMs, ino])
})

test('that is damaged anywhere, or cut off, is made anew', () => {
  const cache = newFolder('cache')
  listIn(cache)
  const path = codeIn(cache)
  const good = readFileSync(path)
  const places = [0, 2, 40, ...Array.from({ length: 12 }, (_, part) => Math.floor(((part + 1) * good.length) / 13))]
  const damaged = places.map((at) => {
    const bytes = Buffer.from(good)
    bytes[at] = (bytes[at] ?? 0) ^ 0xff
    return bytes
  })
  for (const bytes of [...damaged, good.subarray(0, 3), good.subarray(0, good.length - 5), Buffer.alloc(good.length)]) {
    writeFileSync(path, bytes)
    expect(listIn(cache)).toBe(expected)
    expect(readFileSync(path).equals(bytes)).toBe(false)
  }
})

test('that others could have written is not used', () => {
  const cache = newFolder('cache')
  listIn(cache)
  const { ino } = statSync(codeIn(cache))
  chmodSync(codeIn(cache), 0o666)
  expect(listIn(cache)).toBe(expected)
  expect(statSync(codeIn(cache)).mode & 0o777).toBe(0o600)
  expect(statSync(codeIn(cache)).ino).not.toBe(ino)
})

test('is not kept when it is switched off, when a command fails, or where there is no place', () => {
  const cache = newFolder('cache')
  expect(listIn(cache, { NODE_DISABLE_COMPILE_CACHE: '1' })).toBe(expected)
  expect(clew(['no-such-command'], { env: { XDG_CACHE_HOME: cache } }).status).not.toBe(0)
  expect(existsSync(join(cache, 'clew', 'code'))).toBe(false)
  mkdirSync(join(cache, 'clew'), { recursive: true })
  writeFileSync(join(cache, 'clew', 'code'), 'a file')
  expect(listIn(cache)).toBe(expected)
})
