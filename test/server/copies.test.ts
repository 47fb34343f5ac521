// A conversation whose file was deleted and which the archive has: the viewer lists it, marked, and shows all of it.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { archiveFolder, openArchive } from '../../src/archive/open-archive.ts'
import { takeSnapshot } from '../../src/archive/snapshot.ts'
import { sourceFiles } from '../../src/archive/source-files.ts'
import { findTranscripts } from '../../src/load/found.ts'
import type { ConversationHead } from '../../src/server/api/conversation.ts'
import type { Home } from '../../src/server/api/home.ts'
import type { RowWindow } from '../../src/server/api/rows.ts'
import type { RunningServer } from '../../src/server/serve.ts'
import { openServer } from '../../src/server/serve.ts'
import { turns } from '../browser/tide-turns.ts'
import { sessionId, writeBelow } from '../cli/records.ts'
import { newFolder } from '../cli/run.ts'

const [kept, gone] = [sessionId('a'), sessionId('b')]
const home = newFolder('home')
const root = join(home, '.claude')
let server: RunningServer

beforeAll(async () => {
  writeBelow(root, {
    [`projects/-r/${kept}.jsonl`]: turns(kept, 1, 2),
    [`projects/-r/${gone}.jsonl`]: turns(gone, 1, 3),
  })
  const archive = await openArchive(archiveFolder({ environment: {}, home }))
  await takeSnapshot(archive, sourceFiles(root), { takenMs: Date.now() })
  rmSync(join(root, 'projects', '-r', `${gone}.jsonl`))
  let tell = (): void => undefined
  const done = new Promise<void>((resolve) => {
    tell = resolve
  })
  server = await openServer({
    archive: findTranscripts([root]),
    isSample: false,
    pageFolder: newFolder('web'),
    indexPath: join(home, 'index.sqlite'),
    hasWorker: false,
    port: 0,
    environment: {},
    home,
    onReport: ({ kind }) => {
      if (kind === 'done') tell()
    },
    onError: (error) => {
      throw error
    },
  })
  await done
}, 60_000)
afterAll(() => server?.close())

async function ask<Answer>(path: string): Promise<Answer> {
  const answer = await fetch(`http://127.0.0.1:${server.port}/api/${path}`, {
    headers: { 'x-clew-token': server.token },
  })
  expect(answer.status).toBe(200)
  return (await answer.json()) as Answer
}

test('it is listed like any other, and marked', async () => {
  await expect
    .poll(async () => (await ask<Home>('home')).rows.map(({ id, isCopy, isGone }) => [id, isCopy, isGone]).sort())
    .toEqual([
      [kept, false, false],
      [gone, true, false],
    ])
  expect((await ask<Home>('home')).roots).toEqual([root])
})

test('it is shown whole', async () => {
  const head = await ask<ConversationHead>(`conversations/${gone}`)
  expect([head.row.isCopy, head.row.turns]).toEqual([true, 3])
  expect(head.resume.command).toBeNull()
  expect(head.resume.hindrance?.remedies).toEqual([{ words: 'First', command: `clew archive restore ${gone}` }])
  const { rows } = await ask<RowWindow>(`conversations/${gone}/rows?from=0&count=60`)
  expect(JSON.stringify(rows)).toContain('Question 3')
})
