// Which Turns `--file` finds: all in which the file was touched, by whatever it is called and however often.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { jsonl, prompt, reply, session, toolUse } from '../cli/records.ts'
import { openSearch } from './open-search.ts'

const SESSION = '5e1f0000-0000-4000-8000-000000000001'
const AGENT = 'abc0123'
const scratch = mkdtempSync(join(tmpdir(), 'clew-touched-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

interface Touching {
  readonly tool: string
  readonly input: object
}

const touching = (tool: string, path: string, key = 'file_path'): Touching => ({ tool, input: { [key]: path } })
const read = (path: string): Touching => touching('Read', path)
const many = (count: number, path: (at: number) => string): readonly Touching[] =>
  Array.from({ length: count }, (_, at) => read(path(at)))

const OFTEN = 500
/** The calls of one record each, in Turns that are counted from 1. */
const TURNS: readonly (readonly Touching[])[] = [
  [read('/home/ada/p/src/Tides.ts')],
  [touching('Edit', '/home/ada/p/src/edit.ts')],
  [touching('MultiEdit', '/home/ada/p/src/several.ts')],
  [touching('Write', '/home/ada/p/src/write.ts')],
  [touching('NotebookEdit', '/home/ada/p/tides.ipynb', 'notebook_path')],
  [read('C:\\Users\\ada\\p\\src\\drive.ts')],
  [read('/home/ada/p/src/we"ird one.ts')],
  [read('/home/ada/p/src/___/+++')],
  [read('/home/ada/p/src/[...slug]*')],
  [read('/home/ada/p/文書/設計.md')],
  [read('/home/ada/p/cafe\u0301.md')],
  many(60, (at) => `/home/ada/project-with-name/src/part-${at}/module${at}.ts`),
  ...many(OFTEN, (at) => `/home/ada/p/package${at}/index.ts`).map((one) => [one]),
  [read('/home/ada/p/a\n\u0303b/\x1b\u0307/strange.ts'), read('C:\\n\u0303.md')],
]

let calls = 0
const agent = { agentId: AGENT, isSidechain: true }
const folder = join(scratch, 'projects', '-home-ada-p')
mkdirSync(join(folder, SESSION, 'subagents'), { recursive: true })
const records = TURNS.flatMap((turn, at) => [
  prompt(`u${at}`, at === 0 ? null : `a${at - 1}`, `tide${at + 1}`),
  reply(
    `a${at}`,
    `u${at}`,
    turn.map(({ tool, input }) => toolUse(`toolu_${calls++}`, tool, input)),
  ),
])
const last = TURNS.length
const attachment = (uuid: string, parentUuid: string, value: object) => ({
  type: 'attachment',
  uuid,
  parentUuid,
  attachment: value,
})
records.push(
  prompt(`u${last}`, `a${last - 1}`, 'look at @src/moon.ts'),
  attachment('f1', `u${last}`, {
    type: 'file',
    filename: '/home/ada/p/src/moon.ts',
    content: { type: 'text', file: { filePath: '/home/ada/p/src/moon.ts', content: 'moon\n', numLines: 1 } },
  }),
  attachment('f2', 'f1', { type: 'edited_text_file', filename: '/home/ada/p/src/größe.ts', snippet: '1\tebb' }),
  attachment('f3', 'f2', { type: 'file', filename: 7 }),
  attachment('f4', 'f3', { type: 'hook_success', filename: '/home/ada/p/hook.ts' }),
)
writeFileSync(join(folder, `${SESSION}.jsonl`), jsonl(session(SESSION, records)))
const agentRecords = [
  prompt('s0', null, 'go', agent),
  reply('s1', 's0', [toolUse('toolu_s', 'Read', { file_path: '/home/ada/p/src/agent.ts' })], agent),
]
writeFileSync(join(folder, SESSION, 'subagents', `agent-${AGENT}.jsonl`), jsonl(session(SESSION, agentRecords)))
const search = await openSearch(scratch, Date.parse('2026-11-15T12:00:00Z'))

const found = (file: string, typed = ''): readonly (number | string | null)[] =>
  search(typed, { file, perConversation: 9 }).hits.map(({ turn, agentId }) => agentId ?? turn)

test.each<[string, readonly (number | string)[]]>([
  ['src/Tides.ts', [1]],
  ['/home/ada/p/src/Tides.ts', [1]],
  ['SRC/tides.TS', [1]],
  ['ides.ts', []],
  ['src/edit.ts', [2]],
  ['several.ts', [3]],
  ['write.ts', [4]],
  ['tides.ipynb', [5]],
  ['drive.ts', [6]],
  ['src/drive.ts', [6]],
  ['src\\drive.ts', [6]],
  ['C:\\Users\\', [6]],
  ['c:\\users\\ada\\p\\src\\drive.ts', [6]],
  ['rive.ts', []],
  ['we"ird one.ts', [7]],
  ['src/___/+++', [8]],
  ['___', [8]],
  ['[...slug]*', [9]],
  ['設計.md', [10]],
  ['cafe\u0301.md', [11]],
  ['caf\u00e9.md', [11]],
  ['module30.ts', [12]],
  ['src/part-30', [12]],
  ['package0/index.ts', [13]],
  ['package250', [263]],
  ['strange.ts', [TURNS.length]],
  ['\u00f1.md', [TURNS.length]],
  ['agent.ts', [AGENT]],
  // Attached to a prompt, and changed by somebody else.
  ['src/moon.ts', [TURNS.length + 1]],
  ['größe.ts', [TURNS.length + 1]],
  ['hook.ts', []],
  ['nothing.ts', []],
  ['', []],
  ['.', []],
])('%s', (file, expected) => {
  expect(found(file).toSorted()).toEqual(expected.toSorted())
})

test.each([
  ['path:module30.ts', 12],
  ['file:drive.ts', 6],
  ['path:moon.ts', TURNS.length + 1],
  ['file:GRÖSSE.ts', TURNS.length + 1],
])('%s', (typed, turn) => {
  expect(search(typed).hits.map((hit) => [hit.turn, hit.field])).toEqual([[turn, 'files']])
})

test('with words, only what has them', () => {
  expect(found('drive.ts', 'tide6')).toEqual([6])
  expect(found('src\\drive.ts', 'tide6')).toEqual([6])
  expect(found('drive.ts', 'tide7')).toEqual([])
})

test('a very long path takes no longer than another', { timeout: 5000 }, () => {
  expect(found(`${'a'.repeat(100_000)}/b`)).toEqual([])
})

test('as many as are wanted, and how many there are', () => {
  const { hits, total, isBounded } = search('', { file: 'index.ts', limit: 1000, perConversation: 1000 })
  expect([hits.length, total, isBounded]).toEqual([OFTEN, OFTEN, false])
  expect(search('', { file: 'index.ts', limit: 7, perConversation: 1000 }).hits).toHaveLength(7)
})

test('only then, and only in files', () => {
  const at = Date.parse('2026-03-01T10:00:10Z')
  expect(search('', { file: 'p/src', untilMs: at, perConversation: 99 }).total).toBe(5)
  expect(search('', { file: 'p/src', fields: new Set(['prompts']) }).hits).toEqual([])
  expect(search('', { file: 'p/src', fields: new Set(['files']), perConversation: 99 }).total).toBe(10)
})

test('the place in the path is marked', () => {
  const [hit] = search('', { file: 'src/part-30' }).hits
  expect(hit?.field).toBe('files')
  expect(hit?.snippet?.text).toContain('part-30')
  expect(hit?.snippet?.marks).not.toEqual([])
})
