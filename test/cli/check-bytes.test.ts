// Every byte of every file is in a record, a problem, an unfinished tail or a blank line, and a problem's position is
// where its bytes are: damaged files are put together from pieces whose places are known.

import { readdirSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { prompt, reply, session, talk, writeBelow } from './records.ts'
import { clew, clewJson, newFolder, sample } from './run.ts'

interface Place {
  readonly line: number
  readonly offset: number
  readonly length: number
}

interface Checked {
  readonly path: string
  readonly sizeBytes: number
  readonly records: number
  readonly problems: number
  readonly tail: number
  readonly blank: number
  readonly recordCount: number
  readonly problemCount: number
  readonly problemsByCode: Readonly<Record<string, { readonly count: number; readonly positions: readonly Place[] }>>
}

const RECORDS = session('s', [prompt('u1', null, 'one'), reply('a1', 'u1', 'two'), prompt('u2', 'a1', 'three')])
const [ONE = '', TWO = '', THREE = ''] = RECORDS.map((record) => JSON.stringify(record))

type Piece = string | Uint8Array

/** A file of pieces, and the bytes that each problem must point at. */
interface Damage {
  readonly pieces: readonly Piece[]
  readonly codes: Readonly<Record<string, readonly Piece[]>>
  readonly records: number
}

const NULS = new Uint8Array(300)
const CUT = THREE.slice(0, 60)
const BAD_UTF8 = Buffer.from(TWO.replace('two', 'tw\u00ff'), 'latin1')
const LONE = TWO.replace('two', '\\ud83d')
const ORPHAN = JSON.stringify({ ...RECORDS[2], parentUuid: 'never-written' })
const NO_TIME = JSON.stringify({ ...RECORDS[2], timestamp: 'soon' })

const DAMAGES: Readonly<Record<string, Damage>> = {
  'a record cut off and the next one glued to it': {
    pieces: [ONE, '\n', CUT, TWO, '\n'],
    codes: { 'torn-record': [CUT] },
    records: 2,
  },
  'two records on one line': {
    pieces: [ONE, TWO, '\n', THREE, '\n'],
    codes: { 'glued-records': [`${ONE}${TWO}\n`] },
    records: 3,
  },
  'a run of NULs before a record': { pieces: [ONE, '\n', NULS, TWO, '\n'], codes: { 'nul-run': [NULS] }, records: 2 },
  'words between records': {
    pieces: [ONE, '\n', 'not json at all\n', TWO, '\n'],
    codes: { 'line-not-json': ['not json at all\n'] },
    records: 2,
  },
  'words before a record': { pieces: ['oops ', ONE, '\n'], codes: { 'stray-bytes': ['oops '] }, records: 1 },
  'JSON that is no record': {
    pieces: ['[1,2]\n', ONE, '\n', '"text"\n', '7\n'],
    codes: { 'line-not-record': ['[1,2]\n', '"text"\n', '7\n'] },
    records: 1,
  },
  'a byte order mark and CR LF': {
    pieces: ['\ufeff', ONE, '\r\n', TWO, '\r\n'],
    codes: { 'byte-order-mark': ['\ufeff'], crlf: [`${ONE}\r\n`] },
    records: 2,
  },
  'bytes that are not UTF-8': {
    pieces: [ONE, '\n', BAD_UTF8, '\n'],
    codes: { 'invalid-utf8': [Buffer.concat([BAD_UTF8, Buffer.from('\n')])] },
    records: 2,
  },
  'half of a surrogate pair': {
    pieces: [ONE, '\n', LONE, '\n'],
    codes: { 'lone-surrogate': [`${LONE}\n`] },
    records: 2,
  },
  'a time that is none': {
    pieces: [ONE, '\n', TWO, '\n', NO_TIME, '\n'],
    codes: { 'bad-timestamp': [`${NO_TIME}\n`] },
    records: 3,
  },
  'a parent that was never written': {
    pieces: [ORPHAN, '\n'],
    codes: { 'missing-parent': [`${ORPHAN}\n`] },
    records: 1,
  },
  'no final line end': { pieces: [ONE, '\n', TWO], codes: { 'no-final-newline': [TWO] }, records: 2 },
  'a last line that was cut off': { pieces: [ONE, '\n', '\n', CUT], codes: { 'torn-tail': [CUT] }, records: 1 },
  'blank lines': { pieces: ['\n \n\t\n', ONE, '\n\n\n'], codes: {}, records: 1 },
  nothing: { pieces: [], codes: {}, records: 0 },
}

const folder = newFolder()
for (const [name, { pieces }] of Object.entries(DAMAGES)) {
  writeBelow(folder, { [`${name}.jsonl`]: Buffer.concat(pieces.map((piece) => Buffer.from(piece as string))) })
  // A file that somebody still writes to may end in half a line; one from long ago may not.
  utimesSync(join(folder, `${name}.jsonl`), 1_700_000_000, 1_700_000_000)
}

function expectSum(file: Checked): void {
  const { records, problems, tail, blank, sizeBytes } = file
  expect(records + problems + tail + blank, file.path).toBe(sizeBytes)
  expect(sizeBytes, file.path).toBe(statSync(file.path).size)
  for (const { positions } of Object.values(file.problemsByCode)) {
    for (const { offset, length } of positions) expect(offset + length).toBeLessThanOrEqual(sizeBytes)
  }
}

describe('the sample', () => {
  const files = clewJson<Checked>(['check', '--root', sample])

  test('adds up, file by file, with none left out', () => {
    const paths = readdirSync(sample, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.jsonl'))
    expect(files.map((file) => file.path).sort()).toEqual(paths.map((path) => join(sample, path)).sort())
    for (const file of files) expectSum(file)
  })

  test('is torn where the bytes are torn', () => {
    const torn = files.filter((file) => file.problemsByCode['torn-record'] !== undefined)
    expect(torn).toHaveLength(1)
    const [{ line, offset, length } = { line: 0, offset: 0, length: 0 }] =
      torn[0]?.problemsByCode['torn-record']?.positions ?? []
    const bytes = readFileSync(torn[0]?.path ?? '')
    expect(bytes.subarray(0, offset).filter((byte) => byte === 10)).toHaveLength(line - 1)
    const stub = bytes.subarray(offset, offset + length).toString()
    expect(stub).toMatch(/^\{"/)
    expect(() => JSON.parse(stub)).toThrow()
    expect(torn[0]?.problems).toBe(length)
  })
})

describe('damaged files', () => {
  const files = new Map(clewJson<Checked>(['check', folder]).map((file) => [file.path, file]))

  test.each(Object.keys(DAMAGES))('%s', (name) => {
    const path = join(folder, `${name}.jsonl`)
    const { codes, records } = DAMAGES[name] as Damage
    const file = files.get(path) as Checked
    expectSum(file)
    expect(file.recordCount).toBe(records)
    expect(Object.keys(file.problemsByCode).sort()).toEqual(Object.keys(codes).sort())
    const bytes = readFileSync(path)
    for (const [code, expected] of Object.entries(codes)) {
      const positions = file.problemsByCode[code]?.positions ?? []
      const pointed = positions.map(({ offset, length }) => bytes.subarray(offset, offset + length).toString('latin1'))
      expect(pointed, code).toEqual(expected.map((piece) => Buffer.from(piece as string).toString('latin1')))
      for (const { line, offset } of positions) {
        const before = bytes.subarray(0, offset).filter((byte) => byte === 10).length
        expect(line, code).toBe(before + 1)
      }
    }
  })

  test('crlf counts the lines, not the files', () => {
    expect(files.get(join(folder, 'a byte order mark and CR LF.jsonl'))?.problemsByCode['crlf']?.count).toBe(2)
  })

  test('the text names every code with a line and a byte', () => {
    const { out, status } = clew(['check', folder])
    expect(status).toBe(1)
    for (const { codes } of Object.values(DAMAGES)) {
      for (const code of Object.keys(codes)) {
        // Of many files, those that have notes only are told in one line.
        const place = new RegExp(`^ {2}${code} × \\d+ {2}.*\n {4}line \\d+ \\(byte [\\d,]+\\)`, 'm')
        const note = new RegExp(`^Notes: .*${code} × \\d+`, 'm')
        expect(place.test(out) || note.test(out), code).toBe(true)
      }
    }
    expect(out).not.toContain('line 0')
  })
})

test('a last line that may still grow is no problem yet', () => {
  const live = writeBelow(newFolder(), { 'live.jsonl': `${ONE}\n${CUT}` })
  const [file] = clewJson<Checked>(['check', live])
  expect(file).toMatchObject({ tail: CUT.length, problemCount: 0 })
  expect(clew(['check', live]).status).toBe(0)
})

test('what is wrong with a subagent is told with its own file', () => {
  const place = writeBelow(newFolder(), {
    's.jsonl': talk('s', 'hello'),
    's/subagents/agent-a1.jsonl': talk('s', 'look around', { isSidechain: true, agentId: 'a1' }),
    's/subagents/agent-a1.meta.json': '{"agentType":',
    's/custom-title.json': 'not json',
  })
  const files = clewJson<Checked & { readonly role: string }>(['check', place])
  const codes = files.map(({ role, problemsByCode }) => [role, Object.keys(problemsByCode).sort()])
  expect(codes).toEqual([
    ['main', ['sidecar-unreadable']],
    ['subagent', ['sidecar-unreadable', 'unlinked-subagent']],
  ])
  const { out } = clew(['check', place])
  expect(out).toContain('agent-a1.meta.json cannot be read or is not JSON')
  expect(out).toContain('custom-title.json cannot be read or is not JSON')
})

test('a file that is nothing but damage is told in time, with a few places and the number of the others', () => {
  const place = writeBelow(newFolder(), { 'x.jsonl': 'x\n'.repeat(100_000) })
  const startedMs = Date.now()
  const { out, status } = clew(['check', place])
  expect(status).toBe(1)
  expect(out).toMatch(/^ {4}line 1 \(byte 0\), .*, line 5 \(byte 8\), 99,995 more$/m)
  expect(Date.now() - startedMs).toBeLessThan(30_000)
})
