// Files to be scanned, and the plainest way to say what must be found in them: walk every text and look.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openSearch, scanFile } from '../../src/search/scan-file.ts'
import type { ScanHit, ScanPattern, ScanTarget } from '../../src/search/scan-model.ts'
import { newWindow } from '../../src/source/lines.ts'
import type { Random } from '../random.ts'

const scratch = mkdtempSync(join(tmpdir(), 'clew-scan-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

export function newFolder(): string {
  return mkdtempSync(join(scratch, 'folder-'))
}

export function writeTarget(folder: string, name: string, content: string | Uint8Array): ScanTarget {
  const path = join(folder, name)
  const bytes = Buffer.from(content as Uint8Array)
  writeFileSync(path, bytes)
  return { path, sizeBytes: bytes.length, isSpill: name.endsWith('.txt') }
}

export const exact = (text: string): ScanPattern => ({ kind: 'exact', text, ignoreCase: false })
export const exactAnyCase = (text: string): ScanPattern => ({ kind: 'exact', text, ignoreCase: true })
export const regex = (text: string): ScanPattern => ({ kind: 'regex', text, ignoreCase: false })
export const regexAnyCase = (text: string): ScanPattern => ({ kind: 'regex', text, ignoreCase: true })

/** One file in this thread; a small window puts everything at a boundary sooner or later. */
export function hitsIn(target: ScanTarget, pattern: ScanPattern, windowBytes?: number): readonly ScanHit[] {
  const search = openSearch(pattern)
  const window = windowBytes === undefined ? search.window : newWindow(windowBytes)
  return [...scanFile(target, { ...search, window })].flatMap((found) => ('hit' in found ? [found.hit] : []))
}

/** Every string of a value, and the texts of its Blocks as one. */
export function allTexts(value: unknown): readonly string[] {
  const blocks = (value as { message?: { content?: unknown } } | null)?.message?.content
  const joined = Array.isArray(blocks) ? [blocks.map((block) => block?.text ?? block?.content ?? '').join('\n')] : []
  return [...strings(value), ...joined]
}

function strings(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : []
}

/** JSON as no client writes it and any may: each character raw, short or as \uXXXX in either case. */
export function spell(value: unknown, random: Random, escapedShare: number): string {
  const space = (): string => (random.chance(0.1) ? ' ' : '')
  if (typeof value === 'string')
    return `"${Array.from(value, (c) => spellCharacter(c, random, escapedShare)).join('')}"`
  if (Array.isArray(value)) return `[${value.map((one) => space() + spell(one, random, escapedShare)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(
    ([key, inner]) => `${space()}${JSON.stringify(key)}:${space()}${spell(inner, random, escapedShare)}`,
  )
  return `{${fields.join(',')}}`
}

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '/': '\\/',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

function spellCharacter(character: string, random: Random, escapedShare: number): string {
  const short = SHORT[character]
  const code = character.codePointAt(0) ?? 0
  const isLone = code >= 0xd800 && code <= 0xdfff
  const mustEscape = code < 0x20 || character === '"' || character === '\\' || isLone
  if (!mustEscape && !random.chance(escapedShare)) return character
  if (short !== undefined && random.chance(0.7)) return short
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
  return units
    .map((unit) => {
      const digits = unit.toString(16).padStart(4, '0')
      return `\\u${random.chance(0.5) ? digits.toUpperCase() : digits}`
    })
    .join('')
}
