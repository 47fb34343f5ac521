// What a command shows, kept as a file beside the tests. UPDATE=1 writes it anew; the difference is to be read.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'

export function expectGolden(name: string, shown: string): void {
  // Where the project lies on this machine is nobody's business.
  const text = shown.replaceAll(`${join(import.meta.dirname, '..')}/`, '')
  const path = join(import.meta.dirname, 'golden', name)
  if (process.env['UPDATE'] !== undefined) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  expect(text).toBe(readFileSync(path, 'utf8'))
}
