// `clew mv`: everything that knows a path follows it, nothing else changes by a byte, and the undo gives back what was.

import { createHash } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { list } from '../../src/cli/list.ts'
import { mv } from '../../src/cli/mv.ts'
import { projectKeyOf as key } from '../../src/store/project-key.ts'
import type { RanHere } from '../cli/in-process.ts'
import { runHere } from '../cli/in-process.ts'
import { writeBelow } from '../cli/records.ts'
import { linesOf, newFolder } from '../cli/run.ts'
import {
  BELOW,
  DOCKER,
  homeFiles,
  LONG_AGO,
  LOST,
  MAIN,
  NEIGHBOUR,
  NEW,
  NOW_MS,
  OLD,
  SHARED,
  SHARING,
  SUB,
  TREE,
} from './fixture.ts'

function newHome(more: Readonly<Record<string, string>> = {}): string {
  const files = { ...homeFiles(), ...more }
  const home = writeBelow(newFolder('mv'), files)
  for (const name of Object.keys(files)) utimesSync(join(home, name), LONG_AGO, LONG_AGO)
  return home
}

const run = (home: string, ...words: readonly string[]): Promise<RanHere> =>
  runHere(mv, [...words, '--root', join(home, '.claude')], NOW_MS)

interface Report {
  readonly applied: boolean
  readonly sessions: number
  readonly files: readonly { path: string; to: string | null; role: string; change: string; changes: number }[]
  readonly staying: readonly { path: string; why: string }[]
  readonly leftAlone: readonly { path: string; count: number }[]
  readonly collisions: readonly string[]
  readonly takenNames: readonly string[]
  readonly live: readonly { kind: string }[]
  readonly receipts: readonly { receiptId: string; undo: string }[]
}

async function report(home: string, ...words: readonly string[]): Promise<Report> {
  const { status, out, err } = await run(home, ...words, '--json')
  expect([status, err]).toEqual([0, ''])
  return JSON.parse(out) as Report
}

/** Every file with its bytes and its time. */
function state(home: string): Readonly<Record<string, string>> {
  const names = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
  return Object.fromEntries(
    names.sort().map((path) => {
      const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex')
      return [path.slice(home.length + 1), `${sha256} ${statSync(path).mtimeMs} ${statSync(path).mode & 0o777}`]
    }),
  )
}

async function cwds(home: string): Promise<Readonly<Record<string, string>>> {
  const { out } = await runHere(list, ['--json', '--no-index', '--root', join(home, '.claude')], NOW_MS)
  const rows = linesOf(out).map((line) => JSON.parse(line) as { sessionId: string; cwd: string })
  return Object.fromEntries(rows.map(({ sessionId, cwd }) => [sessionId, cwd]))
}

const project = (path: string, name: string): string => `.claude/projects/${key(path)}/${name}`
const GOING = [
  '.claude.json',
  '.claude/history.jsonl',
  '.claude/sessions/999999.json',
  '.claude/jobs/j1/state.json',
  project(OLD, `${MAIN}.jsonl`),
  project(OLD, `${MAIN}/subagents/agent-a1.jsonl`),
  project(OLD, `${MAIN}/subagents/agent-a1.meta.json`),
  project(OLD, `${MAIN}/tool-results/b1234.txt`),
  project(OLD, 'agent-f1a7000.jsonl'),
  project(`${OLD}/.claude/worktrees/reef`, `${TREE}.jsonl`),
  project(BELOW, `${SUB}.jsonl`),
  ...['77777777-7777-4777-8777-777777777777.jsonl', 'memory/MEMORY.md', 'sessions-index.json'].map((name) =>
    project(BELOW, name),
  ),
]

describe('a dry run', () => {
  test('names every place and changes nothing', async () => {
    const home = newHome()
    const before = state(home)
    const found = await report(home, OLD, NEW)
    expect(found.files.map(({ path }) => path.slice(home.length + 1)).sort()).toEqual([...GOING].sort())
    expect(found).toMatchObject({ applied: false, sessions: 4, collisions: [], live: [], takenNames: [] })
    const staying = found.staying.map(({ path, why }) => [path.slice(home.length + 1), why])
    expect(Object.fromEntries(staying)).toEqual({
      [project(OLD, `${SHARING}.jsonl`)]: 'another-path',
      [project(OLD, `${SHARING}/tool-results/b9.txt`)]: 'another-path',
      [project(OLD, `${LOST}.jsonl`)]: 'folder-is-shared',
      [project(OLD, 'memory/MEMORY.md')]: 'folder-is-shared',
    })
    // What was typed in .claude.json, and a rule in the settings; the neighbour's does not count, and keys are not read.
    expect(found.leftAlone.map(({ path, count }) => [path.slice(home.length + 1), count])).toEqual([
      ['.claude.json', 1],
      ['.claude/settings.json', 1],
    ])
    const { out } = await run(home, OLD, NEW)
    for (const name of GOING)
      expect(out).toContain(name.replace('.claude/', '').replace(/^\.claude\.json/, '.claude.json'))
    expect(out).toMatch(/1 record added: relocated/)
    expect(out).toMatch(/project: 2 lines, .* → /)
    expect(out).toMatch(/Dry run: nothing was changed\./)
    expect(state(home)).toEqual(before)
  })

  test('says what to do about the folder itself', async () => {
    const home = newHome()
    const place = join(home, 'code')
    mkdirSync(place)
    const moved = await run(newHome(), OLD, NEW)
    expect(moved.out).toMatch(/There is no folder .* on this machine yet/)
    writeBelow(home, {
      [`.claude/projects/${key(place)}/${DOCKER}.jsonl`]: `${JSON.stringify({ type: 'user', cwd: place })}\n`,
    })
    const { out } = await run(home, place, NEW)
    expect(out).toMatch(/is still at .*Clew moves the history, not the code/)
  })
})

describe.each([
  ['with a record added', []],
  ['with the folder changed in every record', ['--rewrite-cwd']],
])('applied %s', (_, more) => {
  test('lists under the new path, leaves all else as it was, and goes back to the same bytes', async () => {
    const home = newHome()
    const before = state(home)
    const places = await cwds(home)
    expect(places[MAIN]).toBe(OLD)
    const { receipts } = await report(home, OLD, NEW, ...more, '--apply')
    expect(await cwds(home)).toEqual({
      ...places,
      [MAIN]: NEW,
      [SUB]: `${NEW}/sub`,
      [TREE]: `${NEW}/.claude/worktrees/reef`,
      [DOCKER]: NEIGHBOUR,
      [SHARING]: SHARED,
    })
    const after = state(home)
    for (const [name, hash] of Object.entries(before)) {
      if (!GOING.includes(name)) expect([name, after[name]]).toEqual([name, hash])
    }
    for (const path of [OLD, BELOW]) expect(existsSync(join(home, project(path, `${MAIN}.jsonl`)))).toBe(false)
    expect(existsSync(join(home, '.claude/projects', key(BELOW)))).toBe(false)
    expect(statSync(join(home, project(NEW, `${MAIN}.jsonl`))).mtimeMs).toBe(LONG_AGO.getTime())
    const undone = await run(home, '--undo', receipts[0]?.receiptId ?? '')
    expect([undone.status, undone.err]).toEqual([0, ''])
    expect(state(home)).toEqual(before)
    expect(existsSync(join(home, '.claude/clew-moves'))).toBe(false)
  })
})

test('in the records only what says where is changed', async () => {
  const home = newHome()
  const old = linesOf(readFileSync(join(home, project(OLD, `${MAIN}.jsonl`)), 'utf8'))
  await report(home, OLD, NEW, '--rewrite-cwd', '--apply')
  const next = linesOf(readFileSync(join(home, project(NEW, `${MAIN}.jsonl`)), 'utf8'))
  const expected = old.map((line) =>
    line.endsWith('torn')
      ? line
      : line.replace(`"cwd":"${OLD}`, `"cwd":"${NEW}`).replace(`"realParentDir":"${OLD}"`, `"realParentDir":"${NEW}"`),
  )
  expect(next).toEqual(expected)
  expect(next[0]).toContain(`look at ${OLD}/a.txt`)
})

test('.claude.json, history and small files keep every other byte', async () => {
  const home = newHome()
  const read = (name: string): string => readFileSync(join(home, name), 'utf8')
  const [settings, history, job] = ['.claude.json', '.claude/history.jsonl', '.claude/jobs/j1/state.json'].map(
    read,
  ) as [string, string, string]
  await report(home, OLD, NEW, '--apply')
  const moved = (text: string): string =>
    text
      .replace(`"${OLD}":`, `"${NEW}":`)
      .replace(`"${OLD}/sub"`, `"${NEW}/sub"`)
      .replace(`"${OLD}/.claude`, `"${NEW}/.claude`)
  expect(read('.claude.json')).toBe(moved(settings))
  expect(read('.claude/history.jsonl')).toBe(
    history
      .replace(`"project":"${OLD}"`, `"project":"${NEW}"`)
      .replace(`"project":"${BELOW}"`, `"project":"${NEW}/sub"`),
  )
  expect(read('.claude/jobs/j1/state.json')).toBe(job.replace(OLD, NEW))
})

describe('what was written since', () => {
  test('stays when a move is undone', async () => {
    const home = newHome()
    const first = readFileSync(join(home, project(OLD, `${MAIN}.jsonl`)), 'utf8')
    await report(home, OLD, NEW, '--apply')
    const grown = `${JSON.stringify({ type: 'user', uuid: 'm9', cwd: NEW })}\n`
    const touch = (name: string, text: string): void => {
      appendFileSync(join(home, name), text)
      utimesSync(join(home, name), LONG_AGO, LONG_AGO)
    }
    touch(project(NEW, `${MAIN}.jsonl`), grown)
    touch('.claude/history.jsonl', '{"display":"later"}\n')
    const settings = join(home, '.claude.json')
    writeFileSync(settings, readFileSync(settings, 'utf8').replace('12.0', '13'))
    utimesSync(settings, LONG_AGO, LONG_AGO)
    expect((await run(home, '--undo')).err).toBe('')
    expect(readFileSync(join(home, project(OLD, `${MAIN}.jsonl`)), 'utf8')).toBe(first + grown)
    expect(readFileSync(join(home, '.claude/history.jsonl'), 'utf8')).toMatch(
      new RegExp(`"project":"${OLD}".*later`, 's'),
    )
    expect(readFileSync(settings, 'utf8')).toMatch(new RegExp(`13,[^]*"${OLD}": \\{`))
  })
})

describe.each([
  ['with a record added', []],
  ['with the folder changed in every record', ['--rewrite-cwd']],
])('work at the old path after a move %s', (_, more) => {
  const later = `${JSON.stringify({ type: 'user', uuid: 'm9', cwd: OLD })}\n`

  /** The transcript is put back by something else, and somebody goes on there. */
  async function wentOn(text: string, when: Date): Promise<{ home: string; back: string; moved: string }> {
    const home = newHome()
    const back = join(home, project(OLD, `${MAIN}.jsonl`))
    const bytes = readFileSync(back)
    await report(home, OLD, NEW, ...more, '--apply')
    writeFileSync(back, Buffer.concat([bytes, Buffer.from(text)]))
    utimesSync(back, when, when)
    return { home, back, moved: join(home, project(NEW, `${MAIN}.jsonl`)) }
  }

  test('is not overwritten by the undo, nor is what was added at the new one', async () => {
    const { home, back, moved } = await wentOn(later, LONG_AGO)
    appendFileSync(moved, 'also here\n')
    utimesSync(moved, LONG_AGO, LONG_AGO)
    const [atOld, atNew] = [readFileSync(back, 'utf8'), readFileSync(moved, 'utf8')]
    const { status, out } = await run(home, '--undo', '--json')
    expect(status).toBe(1)
    expect(JSON.parse(out)).toMatchObject({ conflicts: [{ path: back, why: 'different' }] })
    expect([readFileSync(back, 'utf8'), readFileSync(moved, 'utf8')]).toEqual([atOld, atNew])
  })

  test('stays where nothing was added at the new one that is not in it', async () => {
    const { home, back, moved } = await wentOn(later, LONG_AGO)
    const expected = readFileSync(back, 'utf8')
    expect((await run(home, '--undo')).status).toBe(0)
    expect([readFileSync(back, 'utf8'), existsSync(moved)]).toEqual([expected, false])
  })

  test('that is in the other file too is no conflict', async () => {
    const { home, back, moved } = await wentOn(later, LONG_AGO)
    const expected = `${readFileSync(back, 'utf8')}more\n`
    appendFileSync(moved, `${later}more\n`)
    utimesSync(moved, LONG_AGO, LONG_AGO)
    expect((await run(home, '--undo')).status).toBe(0)
    expect(readFileSync(back, 'utf8')).toBe(expected)
    expect(existsSync(moved)).toBe(false)
  })

  test('stays when the file at the new path is gone', async () => {
    const { home, back, moved } = await wentOn(later, LONG_AGO)
    const expected = readFileSync(back, 'utf8')
    rmSync(moved)
    expect((await run(home, '--undo')).status).toBe(0)
    expect(readFileSync(back, 'utf8')).toBe(expected)
  })

  test('that is going on keeps the undo from beginning', async () => {
    const { home } = await wentOn(later, new Date(NOW_MS - 1000))
    const before = state(home)
    const { status, err } = await run(home, '--undo')
    expect([status, err]).toEqual([1, expect.stringMatching(/nothing was put back/)])
    expect(state(home)).toEqual(before)
  })
})

describe('refused before anything moves', () => {
  const refused = async (home: string, ...words: readonly string[]): Promise<string> => {
    const before = state(home)
    const { status, err } = await run(home, ...(words.length === 0 ? [OLD, NEW, '--apply'] : words))
    expect(status).toBe(1)
    expect(state(home)).toEqual(before)
    return err
  }

  test('while a client runs there', async () => {
    const live = { '.claude/sessions/7.json': JSON.stringify({ pid: process.pid, sessionId: 'x', cwd: BELOW }) }
    expect(await refused(newHome(live))).toMatch(/A client is running there \(process \d+, in .*End it first/)
    const elsewhere = {
      '.claude/sessions/7.json': JSON.stringify({ pid: process.pid, sessionId: 'x', cwd: NEIGHBOUR }),
    }
    expect((await report(newHome(elsewhere), OLD, NEW)).live).toEqual([])
  })

  test('but not while clients elsewhere write to what projects share', async () => {
    const home = newHome()
    const touch = (): void => {
      for (const name of ['.claude.json', '.claude/history.jsonl', '.claude/jobs/j1/state.json'])
        utimesSync(join(home, name), NOW_MS / 1000 - 60, NOW_MS / 1000 - 60)
    }
    touch()
    const before = state(home)
    const { live, receipts } = await report(home, OLD, NEW, '--apply')
    expect([live, receipts.length]).toEqual([[], 1])
    touch()
    const undone = await run(home, '--undo')
    expect([undone.status, undone.err]).toEqual([0, ''])
    expect(state(home)).toEqual(before)
  })

  test('when something was written to just now', async () => {
    const home = newHome()
    utimesSync(join(home, project(OLD, `${MAIN}.jsonl`)), NOW_MS / 1000 - 60, NOW_MS / 1000 - 60)
    expect(await refused(home)).toMatch(/written to within the last ten minutes/)
  })

  test('when a file is in the way', async () => {
    const home = newHome({ [project(NEW, `${MAIN}.jsonl`)]: '{}\n' })
    expect(await refused(home)).toMatch(/1 file of .* would be in the way/)
  })

  test('when nothing knows the path, or the paths make no sense', async () => {
    expect(await refused(newHome(), '/home/ada/nowhere', NEW)).toMatch(/nothing here knows .*clew list/)
    expect(await refused(newHome(), OLD, OLD)).toMatch(/the same/)
    expect(await refused(newHome(), OLD)).toMatch(/clew mv --help/)
    expect(await refused(newHome(), '/', NEW)).toMatch(/no project/)
    expect(await refused(newHome(), '--undo')).toMatch(/no move to undo/)
  })
})

test('merges into a folder that is there; its index is made anew, and settings that are there stay', async () => {
  const other = '/home/ada/old-one'
  const home = newHome({
    [project(`${NEW}/sub`, `${LOST}.jsonl`)]: `${JSON.stringify({ type: 'user', cwd: `${NEW}/sub` })}\n`,
    [project(`${NEW}/sub`, 'sessions-index.json')]: '{}',
    '.claude.json': JSON.stringify({ projects: { [OLD]: { a: 1 }, [NEW]: { b: 2 } } }),
    [project(other, `${DOCKER}.jsonl`)]: '',
  })
  const before = state(home)
  const found = await report(home, OLD, NEW, '--apply')
  expect(found.takenNames).toEqual([OLD])
  expect(found.files.filter(({ to }) => to === null).map(({ path }) => path)).toEqual([
    join(home, project(BELOW, 'sessions-index.json')),
  ])
  expect(readdirSync(join(home, dirname(project(`${NEW}/sub`, 'x')))).sort()).toContain(`${SUB}.jsonl`)
  expect((await run(home, '--undo')).status).toBe(0)
  expect(state(home)).toEqual(before)
})

test('a folder of the same name: only what the records say is changed', async () => {
  const [from, to] = ['/home/ada/潮見.watch', '/home/ada/潮見-watch']
  const home = newHome()
  const before = state(home)
  await report(home, from, to, '--rewrite-cwd', '--apply')
  expect((await cwds(home))[MAIN]).toBe(to)
  expect(existsSync(join(home, project(from, `${MAIN}.jsonl`)))).toBe(true)
  expect((await run(home, '--undo')).status).toBe(0)
  expect(state(home)).toEqual(before)
})
