// Any bytes, over several snapshots, with appends, forks, rewrites and losses between them: every version reads back.

import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allVersions, openSnapshots } from '../../src/archive/catalogue.ts'
import { openArchive } from '../../src/archive/open-archive.ts'
import { closeReader, openReader, readVersion } from '../../src/archive/read-version.ts'
import { takeSnapshot } from '../../src/archive/snapshot.ts'
import { sourceFiles } from '../../src/archive/source-files.ts'
import { newFolder } from '../cli/run.ts'

type Step =
  | { readonly kind: 'append'; readonly file: number; readonly bytes: Uint8Array }
  | { readonly kind: 'write'; readonly file: number; readonly bytes: Uint8Array }
  | { readonly kind: 'fork'; readonly file: number; readonly to: number; readonly at: number; readonly put: string }
  | { readonly kind: 'cut'; readonly file: number; readonly at: number }
  | { readonly kind: 'remove'; readonly file: number }
  | { readonly kind: 'snapshot' }

const file = fc.nat({ max: 3 })
const share = fc.nat({ max: 100 })
/** Noise, and words that come again and again, in lines and not. */
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 3000 }),
  fc
    .array(fc.constantFrom('{"sessionId":"0001"', ',"type":"user"', 'tide ', '\n', '\0', 'ü', 'x'.repeat(300)), {
      maxLength: 200,
    })
    .map((words) => Buffer.from(words.join(''))),
)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('append'), file, bytes }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('write'), file, bytes }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('fork'), file, to: file, at: share, put: fc.string() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut'), file, at: share }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove'), file }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'snapshot' } as const) },
)

function apply(files: Map<number, Buffer>, one: Exclude<Step, { kind: 'snapshot' }>): void {
  const before = files.get(one.file) ?? Buffer.alloc(0)
  if (one.kind === 'append') files.set(one.file, Buffer.concat([before, one.bytes]))
  else if (one.kind === 'write') files.set(one.file, Buffer.from(one.bytes))
  else if (one.kind === 'remove') files.delete(one.file)
  else {
    const at = Math.floor((before.length * one.at) / 100)
    if (one.kind === 'cut') files.set(one.file, before.subarray(0, at))
    // Every line is changed a little, as the client does it, and something is put in.
    else
      files.set(
        one.to,
        Buffer.concat([
          before.subarray(0, at),
          Buffer.from(one.put),
          Buffer.from(before.subarray(at).toString('latin1').replaceAll('0001', `000${one.to}`), 'latin1'),
        ]),
      )
  }
}

test('every version reads back', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const folder = newFolder('archive')
      const root = join(folder, '.claude')
      const archive = await openArchive(join(folder, 'archive'))
      const files = new Map<number, Buffer>()
      const expected: string[] = []
      let clock = 1_790_000_000
      for (const one of [...steps, { kind: 'snapshot' } as const]) {
        clock++
        if (one.kind !== 'snapshot') {
          apply(files, one)
          continue
        }
        rmSync(root, { recursive: true, force: true })
        mkdirSync(join(root, 'projects'), { recursive: true })
        for (const [number, content] of files) {
          const path = join(root, 'projects', `${number}.jsonl`)
          writeFileSync(path, content)
          const hash = createHash('sha256').update(content).digest('hex')
          utimesSync(path, clock, clock)
          expected.push(`${number} ${clock} ${hash}`)
        }
        await takeSnapshot(archive, sourceFiles(root), { takenMs: clock, partBytes: 5000 })
      }
      const snapshots = openSnapshots(archive)
      const reader = openReader(archive, snapshots)
      const found = allVersions(snapshots).map((version) => {
        const hash = createHash('sha256').update(readVersion(reader, version)).digest('hex')
        return `${version.name.replace(/\D/g, '')} ${Math.round(version.modifiedMs / 1000)} ${hash}`
      })
      closeReader(reader)
      rmSync(folder, { recursive: true })
      expect(found.sort()).toEqual(expected.sort())
    }),
    { numRuns: 40 },
  )
})
