// The sample archive is generated: what is committed must be what scripts/sample.mjs writes, byte for byte, and it must
// be in order but for the one line that was torn on purpose.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const committed = join(root, 'sample')
const SIZE_BYTES_MAX = 300_000
const TORN_SESSION = '8e8a4192-357f-4b12-8465-649a41a13865.jsonl'

describe('the sample archive', () => {
  let fresh = ''
  beforeAll(() => {
    fresh = mkdtempSync(join(tmpdir(), 'clew-sample-'))
    const run = spawnSync(process.execPath, [join(root, 'scripts', 'sample.mjs'), '--out', fresh], { encoding: 'utf8' })
    expect(run.stderr).toBe('')
    expect(run.status).toBe(0)
  })
  afterAll(() => rmSync(fresh, { recursive: true, force: true }))

  test('is what the generator writes (npm run sample)', () => {
    const paths = filesBelow(committed)
    expect(filesBelow(fresh)).toEqual(paths)
    const differing = paths.filter(
      (path) => !readFileSync(join(fresh, path)).equals(readFileSync(join(committed, path))),
    )
    expect(differing).toEqual([])
  })

  test('is JSON, line for line, except the torn one', () => {
    const torn = filesBelow(committed)
      .filter((path) => /\.jsonl?$/.test(path))
      .flatMap((path) => linesOf(path).map((line) => ({ path, line })))
      .filter(({ line }) => !isJson(line))
    expect(torn).toHaveLength(1)
    expect(torn[0]?.path.endsWith(TORN_SESSION)).toBe(true)
    expect(linesOf(torn[0]?.path ?? '').at(-1)).not.toBe(torn[0]?.line)
  })

  test('is small', () => {
    const sizeBytes = filesBelow(committed).reduce((sum, path) => sum + readFileSync(join(committed, path)).length, 0)
    expect(sizeBytes).toBeLessThan(SIZE_BYTES_MAX)
  })
})

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((found) => found.isFile())
    .map((found) => relative(folder, join(found.parentPath, found.name)))
    .sort()
}

function linesOf(path: string): readonly string[] {
  const text = readFileSync(join(committed, path), 'utf8')
  return text.replace(/\n$/, '').split('\n')
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}
