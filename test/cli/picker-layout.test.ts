// The picker's screen: whatever is in it and however large it is, everything stays in its place.

import { describe, expect, test } from 'vitest'
import { foldedRanges, foldedWords } from '../../src/base/fold.ts'
import { graphemesOf } from '../../src/base/graphemes.ts'
import type { PickerState } from '../../src/cli/picker-state.ts'
import { openState, searched, viewOf } from '../../src/cli/picker-state.ts'
import type { ListedConversation } from '../../src/load/list.ts'
import { fitMarked, paintMarked, safeMarked } from '../../src/render/marked.ts'
import { pickerFrame } from '../../src/render/picker.ts'
import { geometryOf } from '../../src/render/picker-geometry.ts'
import { widestCells } from '../../src/render/picker-list.ts'
import { lineOfHit, previewLines } from '../../src/render/picker-preview.ts'
import type { PickerHit, PickerPreview } from '../../src/render/picker-view.ts'
import type { ScreenFrame, ScreenSize } from '../../src/render/piece.ts'
import { styleOf } from '../../src/render/style.ts'
import { gate } from '../../src/render/terminal.ts'
import { widthOf } from '../../src/render/width.ts'
import { wrapLine } from '../../src/render/wrap.ts'
import type { Random } from '../random.ts'
import { randomOf } from '../random.ts'
import { forbiddenIn, HOSTILE, withoutOwnColours } from './hostile.ts'
import { HOME, hitOf, NOW_MS, pressed, rowOf, titled } from './picker-rows.ts'

const PIECES = [
  ...'aZ~ 09|éß—…“日本語のカタ한글、ａＢｱﾞ ❯─│',
  'e\u0301\u0302\u0323',
  '☀️',
  '☀',
  '👨‍👩‍👧‍👦',
  '🇩🇪',
  '🇩',
  '1️⃣',
  'नमस्ते',
  'สวัสดี',
  'שלום',
  '\u200d',
  '\ufe0f',
  '\u1100\u1161',
  '\u0300',
  '\ud83d',
  '\n',
  '\t',
  ' tide ',
  ...Object.values(HOSTILE),
]

const NO_PREVIEW: PickerPreview = { state: 'ready', lines: [], top: 0, message: '' }

function frameOf(state: PickerState, size: ScreenSize, preview = NO_PREVIEW, hasColours = true): ScreenFrame {
  const rows = state.candidates.map(({ row }) => row)
  const layout = { size, style: styleOf(hasColours), nowMs: NOW_MS, home: HOME, widest: widestCells(rows, HOME) }
  return pickerFrame(viewOf(state, preview), layout)
}

/** As a person sees it. */
function screenOf(state: PickerState, size: ScreenSize, preview?: PickerPreview): readonly string[] {
  return frameOf(state, size, preview, false).lines.map((line) =>
    line.reduce((text, piece) => text.padEnd(text.length + piece.column - widthOf(text)) + piece.text, ''),
  )
}

function expectInPlace({ lines, cursor }: ScreenFrame, size: ScreenSize): void {
  expect(lines.length).toBeLessThanOrEqual(size.rows)
  for (const line of lines) {
    let end = 0
    for (const { column, text } of line) {
      const plain = withoutOwnColours(text)
      expect(column, text).toBeGreaterThanOrEqual(end)
      end = column + widthOf(plain)
      expect(end, JSON.stringify(line)).toBeLessThanOrEqual(size.columns)
      expect(forbiddenIn(Buffer.from(text), true), JSON.stringify(text)).toEqual([])
      expect(text).not.toMatch(/[\n\t]/)
      // What the gate would change would not fit any more.
      expect(gate(text, true)).toBe(text)
    }
  }
  if (cursor === null) return
  expect(cursor.row).toBeLessThan(size.rows)
  expect(cursor.column).toBeLessThan(size.columns)
}

describe('whatever is shown, and however large the screen is', () => {
  const KEYS = ['down', 'end', 'tab', 'ctrl-f', 'enter', 'ctrl-r', 'backspace', 'escape', '/', 'tide', 'a', '日', 'é ']

  test.each([1, 2, 3, 4, 5])('nothing leaves its place (seed %i)', (seed) => {
    const random = randomOf(seed)
    for (let time = 0; time < 100; time++) {
      const rows = Array.from({ length: random.below(random.pick([1, 4, 80])) }, (_, place) => randomRow(random, place))
      let state = openState(rows, HOME)
      for (let count = random.below(8); count > 0; count--) {
        const text = random.pick([random.pick(KEYS), randomText(random, 9)])
        state = text === 'escape' && state.filter === '' ? state : pressed(state, text)
        if (state.search.state === 'running' && random.chance(0.7))
          state = searched(state, state.query, randomHits(random))
      }
      const size = { columns: 1 + random.below(200), rows: 1 + random.below(60) }
      const area = geometryOf(size, state.mode, rows.length)?.preview
      const lines = previewLines(randomText(random, 400), area?.columns ?? 20)
      for (const { text } of lines) expect(widthOf(text)).toBeLessThanOrEqual(area?.columns ?? 20)
      const shown = random.pick(['ready', 'ready', 'reading', 'failed'] as const)
      const preview = { state: shown, lines, top: random.below(3), message: randomText(random, 20) }
      expectInPlace(frameOf(state, size, preview, random.chance(0.5)), size)
    }
  })

  test('every small size says something', () => {
    for (let columns = 1; columns <= 40; columns++)
      for (let rows = 1; rows <= 12; rows++) {
        const frame = frameOf(pressed(titled('日本語', 'tide'), 't'), { columns, rows })
        expectInPlace(frame, { columns, rows })
        expect(frame.lines.flat().length).toBeGreaterThan(0)
      }
  })
})

describe('a screen of', () => {
  const state = titled('Tide tables', 'Moon phase', 'おはよう ☀️')
  const preview: PickerPreview = { ...NO_PREVIEW, lines: previewLines('── 1 ──\n❯ Why?\nBecause.', 50) }

  test('80×24 has the preview below the list', () => {
    const screen = screenOf(state, { columns: 80, rows: 24 }, preview)
    expect(screen).toHaveLength(24)
    expect(screen[0]).toMatch(/^Filter: type to narrow .* 3 conversations$/)
    expect(screen[2]).toMatch(/^❯ {3}1h {2}Tide tables .* \/srv\/pilot$/)
    expect(screen[4]).toMatch(/^ {4}1h {2}おはよう ☀️ .* \/srv\/pilot$/)
    expect(screen[5]).toMatch(/^── Tide tables ─+$/)
    expect(screen[6]).toBe('/srv/pilot · 1h ago · 3 turns · 12 kB · opus-5 · id-0')
    expect(screen[8]).toBe('❯ Why?')
    expect(screen[23]).toMatch(/^Enter show {3}r resume {3}\/ full text .* Esc leave$/)
  })

  test('120×40 has it beside', () => {
    const screen = screenOf(state, { columns: 120, rows: 40 }, preview)
    expect(screen[2]).toMatch(/^❯ {3}1h {2}Tide tables .*│ Tide tables$/)
    expect(screen[6]).toMatch(/^ +│ ❯ Why\?$/)
    expect(screen[38]).toMatch(/│$/)
  })

  test('40×12 has none', () => {
    const screen = screenOf(state, { columns: 40, rows: 12 }, preview)
    expect(screen.join('\n')).not.toContain('Why?')
    expect(screen[2]).toMatch(/^❯ {3}1h {2}Tide tables/)
    expect(screen[11]).toBe('Enter show   r resume   Esc leave')
  })

  test('20×5 says that it is too small', () => {
    expect(screenOf(state, { columns: 20, rows: 5 }).join(' ')).toContain('too small (20×5)')
  })
})

describe('what is selected', () => {
  const many = titled(...Array.from({ length: 50 }, (_, place) => `title ${place}`))

  test('is always on the screen, with its neighbours', () => {
    for (const [keys, marked, neighbour] of [
      [['down'], 'title 1', 'title 2'],
      [['page-down', 'page-down', 'page-down'], 'title 15', 'title 14'],
      [['end'], 'title 49', 'title 48'],
    ] as const) {
      const screen = screenOf(pressed(many, ...keys), { columns: 80, rows: 24 })
      expect(screen.filter((line) => line.startsWith('❯'))).toEqual([expect.stringContaining(marked)])
      expect(screen.join('\n')).toContain(neighbour)
    }
  })

  test('is marked without colours too, and its matches are highlighted with them', () => {
    const frame = frameOf(pressed(many, 'tle 1'), { columns: 80, rows: 24 })
    expect(JSON.stringify(frame.lines[2])).toContain('❯')
    expect(frame.lines[2]?.[2]?.text).toBe(
      '\u001b[1mti\u001b[22m\u001b[1m\u001b[33mtle\u001b[39m\u001b[22m\u001b[1m \u001b[22m\u001b[1m\u001b[33m1\u001b[39m\u001b[22m',
    )
  })

  test('shows where a word stands that is not in the row', () => {
    const firstPrompt = `${'before it a few words, '.repeat(5)}the harbour was closed`
    const rows = [rowOf({ title: 'Moon', firstPrompt }), rowOf({ sessionId: 'abcd-1234', title: 'Harbour' })]
    const screen = screenOf(pressed(openState(rows, HOME), 'harbour'), { columns: 80, rows: 24 })
    expect(screen[2]).toMatch(/Moon {2}….*the harbour was c/)
    expect(screen[3]).toMatch(/ Harbour {3,}/)
    expect(screenOf(pressed(openState(rows, HOME), 'abcd'), { columns: 80, rows: 24 })[2]).toMatch(
      /Harbour {2}abcd-1234/,
    )
  })
})

describe('what there is to say', () => {
  const size = { columns: 80, rows: 24 }
  const searching = pressed(titled('Tide'), '/', 'hour')

  test.each([
    ['counts', pressed(titled('Tide', 'Moon', 'Tide again'), 'tide'), /^Filter: tide {5,}2 of 3$/m],
    [
      'nothing matches',
      pressed(titled('Tide'), 'x y'),
      /^ {2}Nothing matches “x y”\.\n {2}Enter searches the full text/m,
    ],
    ['nothing at all', titled(), /^ {2}There are no conversations here\.$/m],
    ['before a search', pressed(titled('Tide'), '/'), /^Full text: type what was said$[\s\S]*^ {2}What was said\?$/m],
    ['a search', searching, /^Full text: hour .* searching…$[\s\S]*^ {2}Searching…$/m],
    ['no hits', searched(searching, 'hour', []), /^ {2}No conversation holds “hour”\.$/m],
    ['a failed search', searched(searching, 'hour', { failed: 'no\u001b[2J\nindex' }), /^ {2}no\\x1b\[2J index$/m],
    ['a note', pressed(searching, 'enter'), /^Still searching…$/m],
    ['hits', searched(searching, 'hour', [hitOf()]), /^❯ {3}1h {2}Tide tables .*\n {8}why is the tide an hour late$/m],
  ])('%s', (_, state, expected) => {
    expect(screenOf(state, size).join('\n')).toMatch(expected)
  })

  test('hits of the search before are muted while the next one runs', () => {
    const state = pressed(searched(searching, 'hour', [hitOf()]), 's')
    expect(frameOf(state, size).lines[2]?.[2]?.text).toBe('\u001b[2mTide tables\u001b[22m')
  })

  test('while it is being read, and when it cannot be', () => {
    const reading = screenOf(titled('Tide'), size, { ...NO_PREVIEW, state: 'reading' })
    expect(reading.join('\n')).toMatch(/^reading…$/m)
    const failed = screenOf(titled('Tide'), size, { ...NO_PREVIEW, state: 'failed', message: 'gone\u001b[2J' })
    expect(failed.join('\n')).toMatch(/^It cannot be shown: gone\\x1b\[2J$/m)
  })

  test('the cursor is where the next letter goes', () => {
    expect(frameOf(titled('a'), size).cursor).toEqual({ row: 0, column: 8 })
    expect(frameOf(pressed(titled('a'), '日x'), size).cursor).toEqual({ row: 0, column: 11 })
    expect(frameOf(pressed(titled('a'), 'x'.repeat(500)), size).cursor?.column).toBeLessThan(80)
    expect(frameOf(pressed(titled('a'), 'tab'), size).cursor).toBe(null)
  })
})

describe('texts', () => {
  const random = randomOf(42)
  const texts = Array.from({ length: 2000 }, () => randomText(random, 30))

  test('are taken apart as the platform does it', () => {
    const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
    for (const text of [...texts, '\r\n', 'a\r\nb', '\u06005'])
      expect([...graphemesOf(text)]).toEqual(
        [...segmenter.segment(text)].map(({ segment, index }) => ({ text: segment, offset: index })),
      )
  })

  test('are marked where the words stand', () => {
    const marked = (text: string, typed: string): readonly string[] =>
      foldedRanges(text, foldedWords(typed)).map(([from, to]) => text.slice(from, to))
    expect(marked('Größe: GROSSE, gross', 'grosse')).toEqual(['Größe', 'GROSSE'])
    expect(marked('e\u0301tat État etat', 'état')).toEqual(['e\u0301tat', 'État', 'etat'])
    expect(marked('tidetide', 'tide ide')).toEqual(['tidetide'])
    expect(marked('ΟΔΟΣ οδος', 'οδοσ')).toEqual(['ΟΔΟΣ', 'οδος'])
    expect(marked('Søren İstanbul ﬁle', 'soren istanbul fi')).toEqual(['Søren', 'İstanbul', 'ﬁ'])
    expect(marked('한국', '하')).toEqual(['한'])
    expect(marked('anything', '')).toEqual([])
  })

  test('with marks keep them through cutting, and are painted whole', () => {
    for (const text of texts) {
      const from = random.below(text.length + 1)
      const columns = 1 + random.below(40)
      const fitted = fitMarked(safeMarked({ text, marks: [[from, from + random.below(6)]] }), columns)
      const painted = paintMarked(fitted, styleOf(true).note)
      expect(withoutOwnColours(painted)).toBe(fitted.text)
      expect(widthOf(fitted.text)).toBeLessThanOrEqual(columns)
      expect(forbiddenIn(Buffer.from(painted), true), JSON.stringify(text)).toEqual([])
    }
    const far = safeMarked({ text: `${'far '.repeat(40)}here  it\n is, and more of it`, marks: [[160, 164]] })
    const fitted = fitMarked(far, 30)
    expect(fitted.text).toMatch(/^…far .*here it is, and more…$/)
    expect(fitted.marks.map(([from, to]) => fitted.text.slice(from, to))).toEqual(['here'])
  })

  test('are wrapped between words and wide letters', () => {
    expect(wrapLine('the quick brown fox', 10, 9)).toEqual(['the quick', 'brown fox'])
    expect(wrapLine('日本語のタイトル', 6, 9)).toEqual(['日本語', 'のタイ', 'トル'])
    expect(wrapLine('  indented text goes on', 14, 9)).toEqual(['  indented', '  text goes on'])
    expect(wrapLine('x'.repeat(25), 10, 9)).toEqual(['x'.repeat(10), 'x'.repeat(10), 'x'.repeat(5)])
    expect(wrapLine('x'.repeat(1000), 10, 3)).toHaveLength(3)
    expect(wrapLine('日本', 1, 9).every((line) => widthOf(line) <= 1)).toBe(true)
  })

  test('of a megabyte on one line take no time', () => {
    expect(previewLines('x日 '.repeat(1_000_000), 60).length).toBeLessThan(20_000)
  })
})

test('a preview begins where the hit is', () => {
  const lines = previewLines('one hour\ntwo\nThe third Höur is late\nhour', 40)
  const hit = hitOf({ snippet: 'third höur is late', marks: [[6, 10]] })
  expect(lineOfHit(lines, hit)).toBe(2)
  expect(lineOfHit(lines, hitOf({ snippet: 'an hour', marks: [[3, 7]] }))).toBe(0)
  expect(lineOfHit(lines, hitOf({ snippet: 'nowhere', marks: [[0, 7]] }))).toBe(0)
  expect(lineOfHit(lines, hitOf({ marks: [] }))).toBe(0)
})

function randomText(random: Random, most: number): string {
  return Array.from({ length: random.below(most + 1) }, () => random.pick(PIECES)).join('')
}

function randomRow(random: Random, place: number): ListedConversation {
  return rowOf({
    sessionId: `${randomText(random, 3)}-${place}`,
    title: randomText(random, 40),
    firstPrompt: random.chance(0.3) ? null : randomText(random, 60),
    project: random.pick([HOME, `${HOME}/${randomText(random, 6)}`, randomText(random, 20)]),
    gitBranch: random.chance(0.3) ? null : randomText(random, 8),
    model: random.chance(0.3) ? null : randomText(random, 8),
    modifiedMs: NOW_MS - random.below(2 ** 31) * random.pick([1, 1000, 1e6]),
    sizeBytes: random.below(2 ** 31),
    problems: random.below(3),
  })
}

function randomHits(random: Random): readonly PickerHit[] {
  return Array.from({ length: random.below(30) }, () => {
    const from = random.below(60)
    return hitOf({
      title: randomText(random, 20),
      project: randomText(random, 9),
      ageMs: random.chance(0.2) ? null : random.below(2 ** 31) * 99,
      snippet: randomText(random, 60),
      marks: Array.from({ length: random.below(4) }, (_, place) => [
        from + place * 9,
        from + place * 9 + random.below(8),
      ]),
    })
  })
}
