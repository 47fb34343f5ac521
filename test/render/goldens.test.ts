// Exports of the sample as they were looked at and found good. UPDATE=1 writes them anew, and the difference is read.

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { STYLE, STYLE_HASH } from '../../src/render/export/html-style.ts'
import { sample } from '../cli/run.ts'
import { exported } from './exported.ts'

const FOLDER = join(import.meta.dirname, '../fixtures/export')

const CASES = [
  ['2ab65b76', 'compact'],
  ['a43e0f11', 'full'],
  ['408eda1d', 'full'],
] as const

const FORMATS = ['md', 'txt', 'html'] as const

test.each(CASES.flatMap(([id, detail]) => FORMATS.map((format) => [id, detail, format] as const)))(
  '%s, %s, as %s',
  async (id, detail, format) => {
    const printed = await exported([id, '--root', sample, '--detail', detail, '--format', format])
    // The style is a file of its own in the sources.
    const shown = printed.replace(STYLE, '…').replace(STYLE_HASH, 'sha256-…')
    const path = join(FOLDER, `${id}-${detail}.${format}`)
    if (process.env['UPDATE'] !== undefined) {
      mkdirSync(FOLDER, { recursive: true })
      writeFileSync(path, shown)
    }
    expect(shown).toBe(readFileSync(path, 'utf8'))
  },
)

test('the policy of a page lets in its style and no other', () => {
  expect(STYLE_HASH).toBe(`sha256-${createHash('sha256').update(STYLE).digest('base64')}`)
  expect(STYLE).not.toMatch(/url\(|@import|https?:/)
})
