// What a repair wrote, read by the official SDK. Runs only where the SDK is installed: `npm run test:sdk` puts it into a
// temporary folder.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { TipRule } from '../../src/graph/context.ts'
import { messageUuids, readContext } from '../../src/graph/context.ts'
import { buildThread } from '../../src/graph/thread.ts'
import { splitLines } from '../../src/record/split.ts'
import { readTranscript } from '../../src/record/transcript.ts'
import { repair } from '../mend/repair.ts'
import { SHAPES } from '../mend/shapes.ts'

const sdkFolder = process.env['CLEW_SDK']

interface Sdk {
  readonly getSessionMessages: (id: string) => Promise<readonly { readonly uuid: string }[]>
}

describe.runIf(sdkFolder !== undefined)('the official SDK', () => {
  it('reads of every repaired shape what the plan says is on the way', { timeout: 600_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'clew-sdk-repair-'))
    const projects = join(folder, 'projects', '-p')
    mkdirSync(projects, { recursive: true })
    process.env['CLAUDE_CONFIG_DIR'] = folder
    const manifest = JSON.parse(readFileSync(join(sdkFolder ?? '', 'package.json'), 'utf8')) as {
      readonly main: string
    }
    const sdk = (await import(/* @vite-ignore */ pathToFileURL(join(sdkFolder ?? '', manifest.main)).href)) as Sdk
    const different: string[] = []
    let more = 0
    for (const [index, { name, bytes }] of SHAPES.entries()) {
      const sessionId = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
      const listed = async (content: Uint8Array): Promise<readonly string[]> => {
        writeFileSync(join(projects, `${sessionId}.jsonl`), content)
        return (await sdk.getSessionMessages(sessionId)).map(({ uuid }) => uuid)
      }
      const before = await listed(bytes())
      const repaired = repair(bytes())
      const target = { kind: 'new-session', sessionId, fromSessionId: repaired.plan.sessionId } as const
      const content = Buffer.concat([...repaired.bytes(target)])
      const after = await listed(content)
      const wanted = uuidsBy('file', content)
      if (JSON.stringify(after) !== JSON.stringify(wanted))
        different.push(`${name}: SDK ${after.join(' ')} Clew ${wanted.join(' ')}`)
      // The client sends the same, and results side by side in the order in which they were written.
      const sent = uuidsBy('resume', content)
      if (JSON.stringify([...after].sort()) !== JSON.stringify([...sent].sort()))
        different.push(`${name}: SDK ${after.join(' ')} the client ${sent.join(' ')}`)
      if (after.length > before.length) more++
    }
    rmSync(folder, { recursive: true, force: true })
    expect(different).toEqual([])
    expect(more).toBeGreaterThan(20)
  })
})

function uuidsBy(rule: TipRule, content: Uint8Array): readonly string[] {
  const { envelopes } = readTranscript('', splitLines(content))
  const thread = buildThread([{ transcript: 0, envelopes }])
  return messageUuids(thread, readContext(thread, rule).nodes, rule)
}
