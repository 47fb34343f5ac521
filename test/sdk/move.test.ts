// What `clew mv` has moved, found by the official SDK under the new path. Runs only where the SDK is installed.

import { readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { mv } from '../../src/cli/mv.ts'
import { runHere } from '../cli/in-process.ts'
import { writeBelow } from '../cli/records.ts'
import { newFolder } from '../cli/run.ts'
import { BELOW, homeFiles, LONG_AGO, MAIN, NEW, NOW_MS, OLD, SHARING } from '../relocate/fixture.ts'

const sdkFolder = process.env['CLEW_SDK']

interface Sdk {
  readonly listSessions: (o: object) => Promise<readonly { readonly sessionId: string; readonly cwd?: string }[]>
  readonly getSessionMessages: (id: string, o: object) => Promise<readonly { readonly uuid: string }[]>
}

describe.runIf(sdkFolder !== undefined)('the official SDK', () => {
  it.each([[[]], [['--rewrite-cwd']]])('finds moved sessions under the new path %j', async (more) => {
    const home = writeBelow(newFolder('sdk'), homeFiles())
    for (const name of Object.keys(homeFiles())) utimesSync(join(home, name), LONG_AGO, LONG_AGO)
    const root = join(home, '.claude')
    process.env['CLAUDE_CONFIG_DIR'] = root
    const manifest = JSON.parse(readFileSync(join(sdkFolder ?? '', 'package.json'), 'utf8')) as {
      readonly main: string
    }
    const sdk = (await import(/* @vite-ignore */ pathToFileURL(join(sdkFolder ?? '', manifest.main)).href)) as Sdk
    const options = { includeWorktrees: false }
    const ids = async (dir: string): Promise<readonly string[]> =>
      (await sdk.listSessions({ dir, ...options })).map(({ sessionId }) => sessionId).sort()
    const before = await sdk.getSessionMessages(MAIN, { dir: OLD })
    expect(await ids(OLD)).toContain(MAIN)
    const { status, err } = await runHere(mv, [OLD, NEW, '--apply', '--root', root, ...more], NOW_MS)
    expect([status, err]).toEqual([0, ''])
    expect(await ids(NEW)).toContain(MAIN)
    expect(await ids(OLD)).not.toContain(MAIN)
    expect(await ids(OLD)).toContain(SHARING)
    expect((await ids(`${NEW}/sub`)).length).toBeGreaterThan(0)
    expect(await ids(BELOW)).toEqual([])
    const found = (await sdk.listSessions({ dir: NEW, ...options })).find(({ sessionId }) => sessionId === MAIN)
    expect(found?.cwd).toBe(NEW)
    expect((await sdk.getSessionMessages(MAIN, { dir: NEW })).map(({ uuid }) => uuid)).toEqual(
      before.map(({ uuid }) => uuid),
    )
  })
})
