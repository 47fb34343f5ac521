// A transcript that says something else than it did is read again, however little of it tells so from outside.

import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findTranscripts } from '../../src/load/found.ts'
import { openDatabase } from '../../src/search/database.ts'
import { ingest } from '../../src/search/ingest.ts'
import { planIngest } from '../../src/search/plan.ts'
import { newFolder } from '../cli/run.ts'
import { dumpIndex } from './dump.ts'

const SESSION = '11111111-2222-4333-8444-555555555555'
const LONG_AGO = 1_700_000_000
const NOW_MS = 1_800_000_000_000

function prompt(number: number, text: string): string {
  const uuid = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
  const parentUuid = number === 1 ? null : uuid.replace(/\d{12}$/, String(number - 1).padStart(12, '0'))
  const timestamp = new Date(NOW_MS - 1_000_000 + number * 1000).toISOString()
  const message = { role: 'user', content: text }
  return `${JSON.stringify({ parentUuid, sessionId: SESSION, type: 'user', message, uuid, timestamp })}\n`
}

/** Long enough that its middle is in neither end. */
function transcript(word: string): string {
  return Array.from({ length: 400 }, (_, index) => prompt(index + 1, index === 200 ? word : `tide ${index}`)).join('')
}

interface Archive {
  readonly root: string
  readonly path: string
  readonly ingested: () => Promise<unknown>
  readonly fresh: () => Promise<unknown>
  readonly plan: () => ReturnType<typeof planIngest>
}

async function madeArchive(): Promise<Archive> {
  const root = join(newFolder('claude'), '.claude')
  const folder = join(root, 'projects', '-home-ada-tidewatch')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${SESSION}.jsonl`)
  writeFileSync(path, transcript('moon'))
  // A time that can be put back to the last digit.
  utimesSync(path, LONG_AGO, LONG_AGO)
  const kept = openDatabase(null)
  const dumped = async (database: typeof kept): Promise<unknown> => {
    await ingest(database, null, findTranscripts([root]), { nowMs: NOW_MS })
    return dumpIndex(database)
  }
  await dumped(kept)
  // The times of files grow in steps of some milliseconds.
  await new Promise((resolve) => setTimeout(resolve, 20))
  return {
    root,
    path,
    ingested: () => dumped(kept),
    fresh: () => dumped(openDatabase(null)),
    plan: () => planIngest(kept, findTranscripts([root])),
  }
}

const CHANGES: Readonly<Record<string, (path: string) => void>> = {
  'edited in place, and given its time back': (path) => {
    writeFileSync(path, transcript('dune'), { flag: 'r+' })
    utimesSync(path, LONG_AGO, LONG_AGO)
  },
  'edited in its middle, and longer': (path) => {
    writeFileSync(path, transcript('dune'), { flag: 'r+' })
    appendFileSync(path, prompt(401, 'ebb'))
  },
  'replaced by a link': (path) => {
    renameSync(path, `${path}.old`)
    symlinkSync(`${path}.old`, path)
  },
  'in a folder that is a link now': (path) => {
    const folder = join(path, '..')
    const elsewhere = join(newFolder('elsewhere'), 'folder')
    renameSync(folder, elsewhere)
    symlinkSync(elsewhere, folder)
  },
  'replaced by a folder': (path) => {
    rmSync(path)
    mkdirSync(path)
  },
}

for (const [name, change] of Object.entries(CHANGES)) {
  test(`${name}: noticed`, async () => {
    const { path, ingested, fresh } = await madeArchive()
    change(path)
    expect(await ingested()).toEqual(await fresh())
  })
}

const HARMLESS: Readonly<Record<string, (path: string) => void>> = {
  'other rights': (path) => chmodSync(path, 0o600),
  'another name for it': (path) => linkSync(path, `${path}.other`),
  'another time': (path) => utimesSync(path, 1, 1),
}

for (const [name, change] of Object.entries(HARMLESS)) {
  test(`${name}: nothing is read again`, async () => {
    const { path, plan, ingested, fresh } = await madeArchive()
    change(path)
    expect(plan()).toMatchObject({ work: [], moved: [], gone: [], seen: [{ file: { path } }] })
    expect(await ingested()).toEqual(await fresh())
    expect(plan()).toMatchObject({ work: [], seen: [] })
  })
}
