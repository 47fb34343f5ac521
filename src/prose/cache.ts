// Answers by the hash of what was asked. A file for each, readable by its owner alone, there whole or not at all. Whatever
// is odd about one means that it is asked again; deleting them loses money and no history.

import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeMissingFolders } from '../base/make-folders.ts'
import { systemCode } from '../base/system-code.ts'
import type { NumberedLine } from './lines.ts'
import type { Route } from './model.ts'
import type { Question } from './prompt.ts'
import { promptText, systemText } from './prompt.ts'

const FORMAT = 1
const SIZE_BYTES_MAX = 1 << 20

export interface Cache {
  readonly read: (key: string) => readonly NumberedLine[] | null
  readonly write: (key: string, lines: readonly NumberedLine[]) => void
  /** Why the last write came to nothing. */
  readonly problem: () => string | null
}

/** Everything the answer depends on. The words of our prompt are in it, so that a new prompt asks anew. */
export function cacheKey(route: Route, question: Question): string {
  const asked = [FORMAT, route.kind, route.address, route.model, systemText(question.stage), promptText(question)]
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex')
}

export function openCache(folder: string | null): Cache {
  let problem: string | null = null
  return {
    read: (key) => (folder === null ? null : readLines(join(folder, `${key}.json`), key)),
    write: (key, lines) => {
      if (folder === null) return
      try {
        writeLines(folder, key, lines)
      } catch (error) {
        problem = `${folder}: cannot be written (${systemCode(error) ?? String(error)})`
      }
    },
    problem: () => problem,
  }
}

function readLines(path: string, key: string): readonly NumberedLine[] | null {
  try {
    const found = statSync(path)
    if (!found.isFile() || found.size > SIZE_BYTES_MAX) return null
    const stored: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (!isObject(stored) || stored['format'] !== FORMAT || stored['key'] !== key) return null
    const lines = stored['lines']
    return Array.isArray(lines) && lines.length > 0 && lines.every(isNumberedLine) ? lines : null
  } catch {
    return null
  }
}

function isNumberedLine(value: unknown): value is NumberedLine {
  if (!isObject(value) || typeof value['text'] !== 'string') return false
  const numbers = value['numbers']
  return Array.isArray(numbers) && numbers.every((number) => Number.isInteger(number) && number > 0)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function writeLines(folder: string, key: string, lines: readonly NumberedLine[]): void {
  makeMissingFolders(folder, {
    isThere: existsSync,
    parentOf: dirname,
    make: (one) => mkdirSync(one, { mode: 0o700 }),
  })
  const path = join(folder, `${key}.json`)
  const next = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  try {
    writeFileSync(next, `${JSON.stringify({ format: FORMAT, key, lines })}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(next, path)
  } catch (error) {
    rmSync(next, { force: true })
    throw error
  }
}
