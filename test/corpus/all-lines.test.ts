// Every line of every genuine file: byte accounting closes, and what the scanner gives equals the exact way to the last field.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { splitLines } from '../../src/record/split.ts'
import { readTranscript } from '../../src/record/transcript.ts'
import { expectBothWays } from '../record/both-ways.ts'
import { corpus } from './corpus.ts'

describe.runIf(corpus !== null)('every line of the corpora', () => {
  const root = corpus ?? ''
  const files =
    corpus === null
      ? []
      : readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))

  it(`reads ${files.length} files both ways with the same result`, () => {
    expect(files.length).toBeGreaterThan(100)
    for (const name of files) {
      const bytes = readFileSync(join(root, name))
      const { sizeBytes, records, problems, tail, blank } = readTranscript(name, splitLines(bytes)).account
      expect(sizeBytes, name).toBe(bytes.length)
      expect(records + problems + tail + blank, name).toBe(sizeBytes)
      expectBothWays(bytes, name)
    }
  })

  it('gives back every record, equal as JSON', () => {
    for (const name of files) {
      const bytes = readFileSync(join(root, name))
      const { envelopes } = readTranscript(name, splitLines(bytes), {
        visit: (envelope, body) => {
          const again: unknown = JSON.parse(bytes.toString('utf8', envelope.offset, envelope.offset + envelope.length))
          expect(again).toEqual(body)
        },
      })
      expect(JSON.parse(JSON.stringify(envelopes))).toEqual(envelopes)
    }
  })
})
