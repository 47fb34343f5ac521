// Tables fit into the terminal, however narrow it is, and lose first what is missed least.

import { describe, expect, test } from 'vitest'
import type { ArchivedSession } from '../../src/render/archive.ts'
import { archiveTable } from '../../src/render/archive.ts'
import type { DoctorReport } from '../../src/render/doctor.ts'
import { doctorText } from '../../src/render/doctor.ts'
import type { RetireReport } from '../../src/render/retire.ts'
import { planText } from '../../src/render/retire.ts'
import { styleOf } from '../../src/render/style.ts'
import { tableLines } from '../../src/render/table.ts'
import { widthOf } from '../../src/render/width.ts'

const style = styleOf(false)
const TITLES = [
  'A long title that goes on and on about the tides, the harbour and the moon over it',
  '潮の満ち引きについてのとても長い題名、八十桁の端末には収まらない ☀️🌊👨‍👩‍👧‍👦',
  'short',
  '',
]
const PROJECT = '/home/ada/very/long/path/to/some/project/that/is/deep/tidewatch'
const KEY = PROJECT.replaceAll('/', '-')

const widest = (lines: readonly string[]): number => Math.max(...lines.map((line) => widthOf(line)))
const layout = (columns: number) => ({ columns, style, home: '/home/ada', nowMs: 1e12 })

const expiring = TITLES.map((title, place) => ({
  root: '/home/ada/.claude',
  sessionId: `${place}1234567-0000`,
  title,
  project: PROJECT,
  path: `/home/ada/.claude/projects/${KEY}/1234567.jsonl`,
  sizeBytes: 123_456_789,
  fileModifiedMs: 0,
  deletableMs: 0,
  daysLeft: place,
}))
const weight = 123_456_789
const doctor = {
  withinDays: 7,
  folders: [],
  expiring,
  projects: TITLES.map(() => ({
    root: '/home/ada/.claude',
    projectKey: KEY,
    sessions: 12_345,
    transcriptBytes: weight,
    subagentBytes: weight,
    toolResultBytes: weight,
    fileHistoryBytes: weight,
    otherBytes: weight,
    totalBytes: weight,
  })),
  doubles: expiring.map(({ sessionId, path }) => ({
    sessionId,
    path,
    sizeBytes: weight,
    kind: 'continuation',
    ofSessionId: sessionId,
    ofPath: path,
    doubleBytes: weight,
  })),
  kinds: { said: weight, subagents: weight },
} as unknown as DoctorReport
const retired = {
  choices: expiring.map((row, place) => ({
    row: { ...row, projectKey: KEY, modifiedMs: 0, folder: null },
    reason: { kind: 'older-than', ageDays: 12_345 },
    heldBy: place === 0 ? 'unarchived' : null,
  })),
} as unknown as RetireReport
const archived = expiring.map((row, place) => ({
  ...row,
  projectKey: KEY,
  files: 3,
  versions: 12,
  modifiedMs: 0,
  lastSnapshotMs: 0,
  isSourceThere: place > 0,
})) as unknown as readonly ArchivedSession[]

/** Without the sentences around them, which a terminal breaks as it likes. */
const rowsOf = (text: string): readonly string[] =>
  text.split('\n').filter((line) => /^(?: |[A-Z]{2,} )|\d1234567| {2}/.test(line))

describe.each([200, 120, 100, 80, 60, 50])('in %i columns', (columns) => {
  test.each([
    ['doctor', () => doctorText(doctor, layout(columns))],
    ['retire', () => planText(retired, layout(columns))],
    ['archive list', () => archiveTable(archived, layout(columns))],
  ])('the tables of %s fit', (_, text) => {
    const rows = rowsOf(text())
    expect(rows.length).toBeGreaterThan(4)
    expect(widest(rows), rows.join('\n')).toBeLessThanOrEqual(columns)
    if (columns >= 80) expect(text()).toContain('tidewatch')
  })
})

describe('a table', () => {
  const heads = ['AGE', 'SIZE', 'STAYS', 'PROJECT', 'TITLE']
  const rows = [['3d', '1 kB', '', '/home/ada/code/tidewatch', 'the tides of a day and of a night']]
  const lines = (columns: number): readonly string[] =>
    tableLines(heads, rows, { columns, style, numeric: [0, 1], paths: [3], spare: [1, 0, 3] })

  test('is as wide as it needs to be', () => {
    expect(lines(100)[1]).toBe(' 3d  1 kB         /home/ada/code/tidewatch  the tides of a day and of a night')
  })

  test('cuts the title first, then paths from their beginning, and only then leaves columns out, empty ones first', () => {
    expect(lines(70)).toEqual([
      'AGE  SIZE  STAYS  PROJECT                   TITLE',
      ' 3d  1 kB         /home/ada/code/tidewatch  the tides of a day and of…',
    ])
    expect(lines(60)[1]).toBe(' 3d  1 kB         …/code/tidewatch  the tides of a day and…')
    expect(lines(50)).toEqual(['AGE  SIZE  PROJECT        TITLE', ' 3d  1 kB  …de/tidewatch  the tides of a day and…'])
    expect(lines(44)[1]).toBe(' 3d  …de/tidewatch  the tides of a day and…')
    expect(lines(20)[1]).toBe('the tides of a day…')
    expect(lines(12)[1]).toBe('the tides o…')
  })
})
