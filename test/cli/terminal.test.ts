// A property over bytes: whatever a transcript holds, and wherever it holds it, nothing reaches the terminal that could
// move its cursor, change its title, hide text or reorder it. For programs nothing is lost: JSON gives back every text.

import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { asFileName, forbiddenIn, HOSTILE, hostileFiles, withoutOwnColours } from './hostile.ts'
import { talk, writeBelow } from './records.ts'
import type { Ran } from './run.ts'
import { clew, linesOf, newFolder } from './run.ts'

const ALL = Object.values(HOSTILE).join(' ')
const CLASSES = Object.entries(HOSTILE)
const EVERYTHING = 'thinking,tools,injections,subagents'

/** One session for each class, and one for all of them at once; the root itself has a hostile name too. */
const root = join(newFolder(), asFileName(HOSTILE['title by OSC 0'] ?? ''))
const nameOf = (text: string, place: number): string => `${asFileName(text)}${place}`
for (const [place, text] of [...Object.values(HOSTILE), ALL].entries())
  writeBelow(root, hostileFiles(text, nameOf(text, place)))
const pathOf = (text: string, place: number): string =>
  join(root, 'projects', asFileName(text), `${nameOf(text, place)}.jsonl`)

/** Sessions that are looked at one by one: all classes, and those that only work alone. */
const ALONE = ['colours in content', 'an unfinished sequence', 'forged lines', 'nested sequences', 'halves of pairs']
const SESSIONS: readonly (readonly [string, string, string])[] = [
  ['all of them', ALL, pathOf(ALL, CLASSES.length)],
  ...CLASSES.flatMap(([name, text], place) =>
    ALONE.includes(name) ? [[name, text, pathOf(text, place)] as const] : [],
  ),
]

function expectSafe(ran: Ran, hasColours: boolean): void {
  expect(forbiddenIn(ran.outBytes, hasColours)).toEqual([])
  expect(forbiddenIn(ran.errBytes, false)).toEqual([])
  expect(ran.err).not.toMatch(/\n {4}at /)
}

/** In colour: without, there are even fewer ways out. */
function expectSafeColours(words: readonly string[]): Ran {
  const ran = clew(words, { env: { NO_COLOR: '', FORCE_COLOR: '1' } })
  expectSafe(ran, true)
  expect(ran.out).toContain('\u001b[')
  return ran
}

/** In colour, without, and that both say the same. */
function expectSafeText(words: readonly string[]): Ran {
  const coloured = expectSafeColours(words)
  const plain = clew(words, { env: { NO_COLOR: '1', FORCE_COLOR: '1' } })
  expectSafe(plain, false)
  expect(withoutOwnColours(coloured.out)).toBe(plain.out)
  return plain
}

function expectSafeJson(words: readonly string[]): readonly unknown[] {
  const ran = clew([...words, '--json'], { env: { NO_COLOR: '', FORCE_COLOR: '1' } })
  expectSafe(ran, false)
  return linesOf(ran.out).map((line) => JSON.parse(line) as unknown)
}

test('there are at least the 24 hostile classes that were measured', () => {
  expect(CLASSES.length).toBeGreaterThanOrEqual(24)
  // Each of them is something the property would find.
  for (const [name, text] of CLASSES.filter(([name]) => name !== 'forged lines' && name !== 'halves of pairs')) {
    expect(forbiddenIn(Buffer.from(text), false), name).not.toEqual([])
  }
})

describe('list', () => {
  test('is safe, one line a conversation', () => {
    const { out } = expectSafeText(['list', '--root', root])
    expect(linesOf(out)).toHaveLength(1 + CLASSES.length + 1)
  })

  test('gives every text back as JSON', () => {
    const rows = new Map(expectSafeJson(['list', '--root', root]).map((row) => [(row as { path: string }).path, row]))
    expect(rows.size).toBe(CLASSES.length + 1)
    for (const [place, [name, text]] of CLASSES.entries()) {
      const path = pathOf(text, place)
      const sessionId = nameOf(text, place)
      const expected = { sessionId, title: text, cwd: `/${text}`, gitBranch: text, model: text, tag: text, path }
      expect(rows.get(path), name).toMatchObject({ ...expected, version: text, titleSource: 'custom-title' })
    }
  })
})

describe('check', () => {
  test('is safe', () => {
    const { out, status } = expectSafeText(['check', '--root', root])
    expect(status).toBe(1)
    for (const line of linesOf(out)) expect(line).not.toMatch(/^\s*(0m {2}deadbeef|└─ forged)/)
  })

  test('gives paths and new names back as JSON', () => {
    const files = expectSafeJson(['check', '--root', root]) as readonly {
      readonly path: string
      readonly drift: readonly { readonly kind: string; readonly name: string; readonly version: string }[]
    }[]
    expect(files).toHaveLength(2 * (CLASSES.length + 1))
    for (const [place, [name, text]] of CLASSES.entries()) {
      const drift = files.find((file) => file.path === pathOf(text, place))?.drift
      expect(drift, name).toContainEqual({ kind: 'type', name: text, version: text, count: 2 })
    }
  })
})

describe('all of them at once', () => {
  test.each([['full'], ['context']])('show --reading %s is safe with and without colours', (reading) => {
    expectSafeText(['show', pathOf(ALL, CLASSES.length), '--reading', reading, '--include', EVERYTHING])
  })

  test('tree is safe with and without colours', () => {
    expectSafeText(['tree', pathOf(ALL, CLASSES.length)])
  })
})

describe.each(SESSIONS)('%s', (_, text, path) => {
  test('show is safe', () => {
    expectSafeColours(['show', path, '--include', EVERYTHING])
  })

  test('show gives every text back as JSON', () => {
    const [shown] = expectSafeJson(['show', path, '--include', EVERYTHING])
    const texts = textsOf(shown)
    const planted = [text, `/${text}`, `T${text}`, `a${text}`, `and then ${text}`, `/tmp/${text}`]
    for (const one of planted) expect(texts).toContain(one)
    const [call] = callsOf(shown)
    expect(call).toMatchObject({ name: text, input: { [text]: text }, result: { text }, status: 'ok' })
  })

  test('tree is safe, every node on its own line', () => {
    const lines = linesOf(withoutOwnColours(expectSafeColours(['tree', path]).out))
    for (const line of lines.slice(2)) expect(line).toMatch(/^[├└│ ]/)
  })

  test('tree gives every text back as JSON', () => {
    const texts = textsOf(expectSafeJson(['tree', path]))
    for (const one of [text, `T${text}`, `a${text}`, `b${text}`, path]) expect(texts).toContain(one)
  })
})

describe('what is typed and not found', () => {
  const typed = asFileName(ALL)

  test.each([
    [['show', typed]],
    [['show', `${HOSTILE['forged lines']}`]],
    [['tree', typed]],
    [['check', typed]],
    [['list', typed]],
    [['list', `--${typed}`]],
    [['list', '--since', typed]],
    [['show', 'latest', '--reading', typed]],
    [['list', '--root', `/nowhere/${typed}`]],
    [[typed]],
  ])('%# is answered in one safe line', (words) => {
    const folder = writeBelow(newFolder(), { 'x.jsonl': talk('x', 'hello') })
    const ran = clew([...words, ...(words.includes('--root') ? [] : ['--root', folder])], {
      env: { FORCE_COLOR: '1', NO_COLOR: '' },
    })
    expectSafe(ran, false)
    expect(ran.status).toBeGreaterThan(0)
    expect(linesOf(ran.err)).toHaveLength(1)
  })

  test('candidates with hostile names stand on one line', () => {
    const folder = writeBelow(newFolder(), {
      'ab\n\u001b[2J1.jsonl': talk('a', 'x'),
      'ab\n\u001b[2J2.jsonl': talk('b', 'x'),
    })
    const ran = clew(['show', 'ab', '--root', folder])
    expectSafe(ran, false)
    expect(linesOf(ran.err)).toHaveLength(1)
    expect(ran.err).toContain('ab\\x0a\\x1b[2J1')
  })
})

test('what only looks special is left as it is', () => {
  const text = 'naïve 日本語 👨‍👩‍👧 ❤️‍🔥 می‌خواهم क्षि שלום «quoted» — and → so ✓'
  const folder = writeBelow(newFolder(), { 'x.jsonl': talk('x', text) })
  const { out, outBytes } = clew(['show', 'x', '--root', folder])
  expect(out).toContain(`❯ ${text}\n`)
  expect(forbiddenIn(outBytes, false)).toEqual([])
})

interface Call {
  readonly name: string
}

function callsOf(value: unknown): readonly Call[] {
  const { turns } = value as { turns: readonly { parts: readonly { blocks?: readonly { call?: Call }[] }[] }[] }
  const blocks = turns.flatMap((turn) => turn.parts.flatMap((part) => part.blocks ?? []))
  return blocks.flatMap((block) => (block.call === undefined ? [] : [block.call]))
}

/** Every text anywhere in a JSON value. */
function textsOf(value: unknown, into = new Set<string>()): ReadonlySet<string> {
  if (typeof value === 'string') into.add(value)
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) textsOf(inner, into)
  return into
}
