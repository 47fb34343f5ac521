// Paths and fields: boundaries, Windows, and that no other byte of a record changes.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HISTORY_FIELDS, RECORD_FIELDS, STATE_FIELDS } from '../../src/relocate/knowing-fields.ts'
import { countMentions } from '../../src/relocate/mentions.ts'
import { replaceFields } from '../../src/relocate/path-fields.ts'
import { isWithin, movedPath, normalPath } from '../../src/relocate/paths.ts'
import { moveProjectSettings, restoreProjectNames } from '../../src/relocate/project-settings.ts'

test.each([
  ['/a/b', '/a/b', '/x', '/x'],
  ['/a/b/', '/a/b', '/x', '/x'],
  ['/a/b/c', '/a/b', '/x', '/x/c'],
  ['/a/b-docker', '/a/b', '/x', null],
  ['/a/b.c', '/a/b', '/x', null],
  ['/a/B', '/a/b', '/x', null],
  ['/x/a/b', '/a/b', '/x', null],
  ['', '/a/b', '/x', null],
  ['/a/潮見/x', '/a/潮見', '/b', '/b/x'],
  ['/a/b\\c', '/a/b', '/x', null],
  // Windows: large and small letters, both separators, the drive.
  ['c:\\Users\\ada\\Tide\\src', 'C:\\users\\ada\\tide', 'D:\\tide', 'D:\\tide\\src'],
  ['C:/Users/ada/tide/src', 'C:\\Users\\ada\\tide', 'D:\\tide', 'D:\\tide/src'],
  ['C:\\Users\\ada\\tide-docker', 'C:\\Users\\ada\\tide', 'D:\\tide', null],
  ['\\\\nas\\Work\\a', '\\\\NAS\\work', 'C:\\w', 'C:\\w\\a'],
  ['/mnt/c/Code/Tide/a', '/mnt/c/code/tide', '/home/ada/tide', '/home/ada/tide/a'],
  // From one system to another.
  ['C:\\Users\\ada\\tide\\src\\a', 'C:\\Users\\ada\\tide', '/home/ada/tide', '/home/ada/tide/src/a'],
  ['/home/ada/tide/src/a', '/home/ada/tide', 'C:\\tide', 'C:\\tide\\src\\a'],
  // A letter whose small form is longer.
  ['C:\\İ\\tide\\a', 'C:\\İ\\tide', 'D:\\x', 'D:\\x\\a'],
])('%s in the move of %s to %s', (path, from, to, expected) => {
  expect(movedPath(path, { from, to })).toBe(expected)
  expect(isWithin(path, from)).toBe(expected !== null)
})

test.each([
  ['/a/b/', '/a/b'],
  ['/a/./c/../b//', '/a/b'],
  ['/', '/'],
  ['C:\\a\\..\\b\\', 'C:\\b'],
  ['C:\\', 'C:\\'],
  ['relative/x', null],
])('%s is %s', (path, expected) => {
  expect(normalPath(path)).toBe(expected)
})

describe('fields', () => {
  const move = { from: '/a/b', to: '/new "place"\\n' }
  const change = (text: string): string | null => movedPath(text, move)

  test('any record: what says where is changed, and every other byte stays', () => {
    const path = fc.constantFrom('/a/b', '/a/b/c', '/a/b-c', '/x', '')
    const record = fc.record(
      {
        cwd: path,
        relocatedCwd: path,
        worktreeSession: fc.option(fc.record({ originalCwd: path, worktreePath: path, worktreeName: path })),
        backup: fc.record({ realParentDir: path, other: path }),
        snapshot: fc.record({ trackedFileBackups: fc.dictionary(fc.string(), fc.record({ realParentDir: path })) }),
        message: fc.record({ cwd: path, content: fc.jsonValue() }),
        toolUseResult: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(record, fc.constantFrom(undefined, 2, '\t'), fc.boolean(), (value, space, isAscii) => {
        const said = JSON.stringify(value, null, space)
        const text = isAscii ? said.replaceAll('/', '\\/') : said
        const replaced = replaceFields(Buffer.from(text), RECORD_FIELDS, change)
        const next = (found: string | undefined): string | undefined =>
          found === undefined ? undefined : (change(found) ?? found)
        const expected = structuredClone(value) as Record<string, unknown> & typeof value
        if (expected.cwd !== undefined) expected.cwd = next(expected.cwd) as typeof expected.cwd
        if (expected.relocatedCwd !== undefined)
          expected.relocatedCwd = next(expected.relocatedCwd) as typeof expected.cwd & string
        for (const holder of [
          expected.worktreeSession,
          expected.backup,
          ...Object.values(expected.snapshot?.trackedFileBackups ?? {}),
        ]) {
          for (const key of ['originalCwd', 'worktreePath', 'realParentDir']) {
            const all = holder as Record<string, string> | null | undefined
            if (all?.[key] !== undefined) all[key] = next(all[key]) ?? ''
          }
        }
        const made = Buffer.from(replaced?.bytes ?? '').toString('utf8')
        expect(JSON.parse(made)).toEqual(JSON.parse(JSON.stringify(expected)))
        // Undone by the same rule, it is the same text but for the spelling of what was changed.
        if (replaced?.count === 0) expect(made).toBe(text)
      }),
      { numRuns: 500 },
    )
  })

  test.each(['', '\n', '{"cwd":"/a/b"', '{"cwd":"/a/b"}{"cwd":"/a/b"}', '["/a/b"]', '"x"', '{"cwd":"/a/b",}', '\0\0'])(
    'what is no record is not touched: %j',
    (text) => {
      expect(replaceFields(Buffer.from(text), RECORD_FIELDS, change)).toBeNull()
    },
  )

  test('bytes that are no UTF-8, large numbers and doubled keys stay', () => {
    const bytes = Buffer.concat([
      Buffer.from('{"n":1.0e400,"x":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('","cwd":"/a/b","cwd":"/a/b" }\r\n'),
    ])
    const replaced = replaceFields(bytes, RECORD_FIELDS, () => '/q')
    expect(Buffer.from(replaced?.bytes ?? []).toString('latin1')).toBe(
      bytes.toString('latin1').replaceAll('/a/b', '/q'),
    )
    expect(replaced?.count).toBe(2)
  })

  test('history and small files', () => {
    const line = Buffer.from('{"display":"/a/b","project":"/a/b","x":{"project":"/a/b"}}')
    expect(replaceFields(line, HISTORY_FIELDS, change)?.count).toBe(1)
    const index = Buffer.from('{"plugins":{"a@b":[{"scope":"local","projectPath":"/a/b"},{"name":"/a/b"}]}}')
    expect(replaceFields(index, STATE_FIELDS, change)?.count).toBe(1)
  })
})

test('mentions stand at boundaries', () => {
  const text = '"/a/b" /a/b-docker /a/b/c /x/a/b /a/b.c (/a/b) /a/bé'
  expect(countMentions(Buffer.from(text), '/a/b')).toBe(3)
})

test('names of projects are changed and changed back', () => {
  const text = '{ "projects": { "/a/b": {"cwd":"/a/b/c","history":["/a/b"]}, "/a/b-docker": {} }, "x": "/a/b" } // end'
  const changed = moveProjectSettings(text, { from: '/a/b', to: '/n' })
  expect(changed?.text).toBe(text.replace('"/a/b":', '"/n":').replace('/a/b/c', '/n/c'))
  expect(restoreProjectNames(changed?.text ?? '', changed?.keys ?? [])).toBe(text.replace('/a/b/c', '/n/c'))
  expect(moveProjectSettings('{ not json', { from: '/a/b', to: '/n' })).toBeNull()
})
