// Random transcripts read by Clew and by the official SDK, side by side. Runs only where the SDK is installed:
//   CLEW_SDK=/path/to/node_modules/@anthropic-ai/claude-agent-sdk npm run test:sdk
// The transcripts are far odder than any client's. What is left of differences needs uuids that collide across types.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readContextTurns } from '../../src/conversation/reading.ts'
import { bytesOf, randomOf, randomRecords } from '../random.ts'
import { wovenOf } from '../woven.ts'

const sdkFolder = process.env['CLEW_SDK']
const files = Number(process.env['CLEW_SDK_FILES'] ?? 3000)

interface Sdk {
  readonly getSessionMessages: (id: string) => Promise<readonly { readonly uuid: string }[]>
}

describe.runIf(sdkFolder !== undefined)('beside the official SDK', () => {
  it(`gives the same chain for ${files} random transcripts`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'clew-sdk-'))
    const projects = join(folder, 'projects', '-p')
    mkdirSync(projects, { recursive: true })
    process.env['CLAUDE_CONFIG_DIR'] = folder
    const manifest = JSON.parse(readFileSync(join(sdkFolder ?? '', 'package.json'), 'utf8')) as {
      readonly main: string
    }
    const sdk = (await import(/* @vite-ignore */ pathToFileURL(join(sdkFolder ?? '', manifest.main)).href)) as Sdk
    const different: string[] = []
    for (let seed = 1; seed <= files; seed++) {
      const sessionId = `00000000-0000-4000-8000-${String(seed).padStart(12, '0')}`
      const records = randomRecords(randomOf(seed), sessionId)
      const bytes = bytesOf(records)
      const path = join(projects, `${sessionId}.jsonl`)
      writeFileSync(path, bytes)
      const wanted = (await sdk.getSessionMessages(sessionId)).map((message) => message.uuid)
      rmSync(path)
      const { chain } = readContextTurns(wovenOf(bytes, 'file').woven)
      if (JSON.stringify(chain) !== JSON.stringify(wanted))
        different.push(`seed ${seed}: SDK ${short(wanted)} Clew ${short(chain)}`)
    }
    rmSync(folder, { recursive: true, force: true })
    console.log(`${files - different.length} of ${files} equal\n${different.slice(0, 10).join('\n')}`)
    expect(different.length / files).toBeLessThan(0.03)
  }, 3_600_000)
})

function short(uuids: readonly string[]): string {
  return uuids.map((uuid) => uuid.split('-').at(-1)).join(' ')
}
