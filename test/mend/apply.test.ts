// A repair on a disk: proven before it takes the place of anything, refused while somebody writes, and taken back to the
// last byte. The crashes are those of a simulated disk, at every operation.

import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Disk } from '../../src/disk/disk.ts'
import { readWhole } from '../../src/disk/durable.ts'
import { REAL_DISK } from '../../src/disk/real-disk.ts'
import type { RepairKind, RepairPlace, RepairWorld } from '../../src/mend/apply.ts'
import { applyRepair } from '../../src/mend/apply.ts'
import { openBytes } from '../../src/mend/open-bytes.ts'
import { backupPath, readReceipt, receiptIds } from '../../src/mend/repair-receipt.ts'
import { bytesInMemory } from '../../src/mend/transcript-bytes.ts'
import { undoRepair } from '../../src/mend/undo.ts'
import { randomOf } from '../random.ts'
import { Crash, SimulatedDisk } from '../store/simulated-disk.ts'
import { bytesOf, SESSION, talk } from './healthy.ts'
import { SHAPES } from './shapes.ts'

const NOW_MS = 1_790_000_000_000
const OLD_MS = NOW_MS - 86_400_000
const NEW = '0e30e30e-0000-4000-8000-000000000002'
const OPTIONS = { nowMs: NOW_MS }

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function placed(bytes: Buffer): RepairPlace {
  const root = mkdtempSync(join(tmpdir(), 'clew-repair-'))
  folders.push(root)
  const project = join(root, 'projects', '-home-ada-tidewatch')
  const folder = join(project, SESSION)
  mkdirSync(join(folder, 'subagents'), { recursive: true })
  writeFileSync(join(folder, 'subagents', 'agent-a1.jsonl'), '{"type":"user"}\n')
  const path = join(project, `${SESSION}.jsonl`)
  writeFileSync(path, bytes)
  chmodSync(path, 0o640)
  utimesSync(path, OLD_MS / 1000, OLD_MS / 1000)
  return { root, path, sessionId: SESSION, folder, receipts: join(root, 'data', 'repairs') }
}

function worldOf(more: Partial<RepairWorld> = {}): RepairWorld {
  return {
    disk: REAL_DISK,
    nowMs: NOW_MS,
    receiptId: 'receipt-1',
    newSessionId: NEW,
    open: openBytes,
    isRunning: () => false,
    ...more,
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

const TORN = SHAPES.find(({ name }) => name.includes('torn')) ?? SHAPES[0]
const damaged = (): Buffer => (TORN as (typeof SHAPES)[number]).bytes()

describe.each(SHAPES)('$name', ({ bytes }) => {
  test('in place: time and mode stay, and undo gives back the same bytes', async () => {
    const place = placed(bytes())
    const before = sha256(readFileSync(place.path))
    const receipt = await applyRepair(worldOf(), place, 'in-place', OPTIONS)
    const stat = statSync(place.path)
    expect([stat.mtimeMs, stat.mode & 0o777]).toEqual([OLD_MS, 0o640])
    expect(sha256(readFileSync(place.path))).toBe(receipt.after.sha256)
    expect(sha256(readFileSync(backupPath(place.receipts, receipt.id)))).toBe(before)
    expect(statSync(backupPath(place.receipts, receipt.id)).mode & 0o077).toBe(0)
    await expect(applyRepair(worldOf(), place, 'in-place', OPTIONS)).rejects.toThrow('nothing needs to be repaired')
    expect(await undoRepair({ ...worldOf(), receipts: place.receipts }, receipt)).toBe('restored')
    const back = statSync(place.path)
    expect([sha256(readFileSync(place.path)), back.mtimeMs, back.mode & 0o777]).toEqual([before, OLD_MS, 0o640])
    expect(await undoRepair({ ...worldOf(), receipts: place.receipts }, receipt)).toBe('already')
  })

  test('as a new session: the old one is as it was, and undo leaves nothing', async () => {
    const place = placed(bytes())
    const before = sha256(readFileSync(place.path))
    const receipt = await applyRepair(worldOf(), place, 'new', OPTIONS)
    expect(sha256(readFileSync(place.path))).toBe(before)
    expect(statSync(receipt.newPath).mode & 0o077).toBe(0)
    expect(readFileSync(join(receipt.newPath.slice(0, -6), 'subagents', 'agent-a1.jsonl'), 'utf8')).toMatch(/user/)
    const ids = readFileSync(receipt.newPath, 'utf8').match(/"sessionId":"[^"]+"/g) ?? []
    expect(new Set(ids).has(`"sessionId":"${NEW}"`)).toBe(true)
    expect(await undoRepair({ ...worldOf(), receipts: place.receipts }, receipt)).toBe('removed')
    expect(readdirSync(join(place.path, '..')).sort()).toEqual([SESSION, `${SESSION}.jsonl`])
  })
})

describe('refused, with everything as it was', () => {
  const cases: readonly (readonly [string, RepairKind, (place: RepairPlace) => Partial<RepairWorld>, string])[] = [
    ['a client has it open', 'in-place', live, 'process 77 has this session open'],
    ['a process has the file open', 'in-place', () => ({ holders: () => [78] }), 'process 78'],
    ['another clew writes to it', 'in-place', locked, '.lock'],
    ['it was written to a moment ago', 'in-place', () => ({ nowMs: OLD_MS + 60_000 }), '60 s ago'],
    ['it grows while it is repaired', 'in-place', growing, 'has changed meanwhile'],
    ['the new session is there already', 'new', taken, 'is there already'],
  ]
  test.each(cases)('%s', async (_, kind, prepare, words) => {
    const place = placed(damaged())
    const more = prepare(place)
    const before = sha256(readFileSync(place.path))
    await expect(applyRepair(worldOf(more), place, kind, OPTIONS)).rejects.toThrow(words)
    if (prepare !== growing) expect(sha256(readFileSync(place.path))).toBe(before)
    expect(readdirSync(join(place.path, '..')).filter((name) => name.includes('.clew-'))).toEqual([])
  })

  test('a healthy transcript', async () => {
    const place = placed(bytesOf(talk()))
    await expect(applyRepair(worldOf(), place, 'new', OPTIONS)).rejects.toThrow('nothing needs to be repaired')
    expect(existsSync(place.receipts)).toBe(false)
  })

  test('undo of what was written to since, and of a damaged backup', async () => {
    const place = placed(damaged())
    const receipt = await applyRepair(worldOf(), place, 'in-place', OPTIONS)
    const undo = (): Promise<unknown> => undoRepair({ ...worldOf(), receipts: place.receipts }, receipt)
    const repaired = readFileSync(place.path)
    writeFileSync(backupPath(place.receipts, receipt.id), 'not it')
    await expect(undo()).rejects.toThrow('is not what was put there')
    expect(readFileSync(place.path)).toEqual(repaired)
    writeFileSync(place.path, Buffer.concat([repaired, Buffer.from('{"type":"user"}\n')]))
    await expect(undo()).rejects.toThrow('was written to after the repair')
  })

  function live({ root }: RepairPlace): Partial<RepairWorld> {
    mkdirSync(join(root, 'sessions'))
    writeFileSync(join(root, 'sessions', '77.json'), JSON.stringify({ pid: 77, sessionId: SESSION }))
    return { isRunning: () => true }
  }

  function locked({ path }: RepairPlace): Partial<RepairWorld> {
    writeFileSync(`${path}.lock`, '')
    return {}
  }

  /** By the time the result is proven, somebody has written. */
  function growing({ path }: RepairPlace): Partial<RepairWorld> {
    const open = (name: string): ReturnType<typeof openBytes> => {
      if (name !== path) {
        writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.from('{"type":"user"}\n')]))
        utimesSync(path, OLD_MS / 1000 + 5, OLD_MS / 1000 + 5)
      }
      return openBytes(name)
    }
    return { open }
  }

  function taken({ path }: RepairPlace): Partial<RepairWorld> {
    writeFileSync(join(path, '..', `${NEW}.jsonl`), '')
    return {}
  }
})

describe('the power fails at every operation', () => {
  const ROOT = '/claude'
  const place: RepairPlace = {
    root: ROOT,
    path: `${ROOT}/projects/p/${SESSION}.jsonl`,
    sessionId: SESSION,
    folder: null,
    receipts: `${ROOT}/data/repairs`,
  }

  test.each(['in-place', 'new'] as const)('%s: the transcript is whole, and the way back is open', async (kind) => {
    const source = damaged()
    let isOver = false
    let crashes = 0
    for (let crashAt = 1; !isOver; crashAt++) {
      const disk = await diskWith(source)
      const failing = disk.crash(randomOf(crashAt), { crashAt })
      try {
        await applyRepair(simulated(failing), place, kind, OPTIONS)
        isOver = true
      } catch (error) {
        if (!(error instanceof Crash)) throw error
        crashes++
      }
      const left = failing.crash(randomOf(crashAt * 7))
      const now = readWhole(left, place.path)
      const [id] = receiptIds(left, place.receipts)
      const receipt = id === undefined ? null : readReceipt(left, place.receipts, id)
      const isBefore = now.equals(source)
      expect(isBefore || (kind === 'in-place' && sha256(now) === receipt?.after.sha256)).toBe(true)
      if (receipt === null) continue
      await undoRepair({ ...simulated(left), receipts: place.receipts }, receipt)
      expect(readWhole(left, place.path).equals(source)).toBe(true)
      expect(left.stat(`${ROOT}/projects/p/${NEW}.jsonl`)).toBe(null)
    }
    expect(crashes).toBeGreaterThan(10)
  })

  function simulated(disk: Disk): RepairWorld {
    const open = (path: string): ReturnType<RepairWorld['open']> => ({
      bytes: bytesInMemory(readWhole(disk, path), path),
      close: () => undefined,
    })
    return { ...worldOf({ disk, open, holders: () => [] }), nowMs: 1_800_000_000_000 }
  }

  async function diskWith(bytes: Buffer): Promise<SimulatedDisk> {
    const disk = new SimulatedDisk(randomOf(1))
    for (const folder of [ROOT, `${ROOT}/projects`, `${ROOT}/projects/p`]) disk.makeFolder(folder)
    const fd = disk.openToAppend(place.path, true)
    disk.write(fd, bytes)
    await disk.sync(fd)
    disk.close(fd)
    for (const folder of ['/', ROOT, `${ROOT}/projects`, `${ROOT}/projects/p`])
      await disk.syncFolder(folder === '/' ? '' : folder)
    return disk
  }
})
