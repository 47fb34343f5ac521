// Every title that docs/format/titles.md tells of a transcript, told by the official SDK. Runs only where it is installed.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { sessionId, writeBelow } from '../cli/records.ts'
import { newFolder } from '../cli/run.ts'
import { fixturesOf } from '../docs/fixtures.ts'

const sdkFolder = process.env['CLEW_SDK']

interface Sdk {
  readonly getSessionInfo: (id: string) => Promise<{ readonly summary: string } | undefined>
}

describe.runIf(sdkFolder !== undefined)('the official SDK', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/format/titles.md'), 'utf8')
  const alone = fixturesOf('titles.md', page).filter(({ blocks }) => blocks.every(({ file }) => file === null))

  it.each(alone)('gives the same title: $name', async ({ blocks, expected }) => {
    const content = blocks.map(({ text }) => text).join('')
    process.env['CLAUDE_CONFIG_DIR'] = writeBelow(newFolder('sdk'), {
      [`projects/-p/${sessionId('a')}.jsonl`]: content,
    })
    const { main } = JSON.parse(readFileSync(join(sdkFolder ?? '', 'package.json'), 'utf8')) as {
      readonly main: string
    }
    const sdk = (await import(/* @vite-ignore */ pathToFileURL(join(sdkFolder ?? '', main)).href)) as Sdk
    const { title } = JSON.parse(expected) as { readonly title: string }
    expect((await sdk.getSessionInfo(sessionId('a')))?.summary ?? '').toBe(title)
  })
})
