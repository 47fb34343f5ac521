// What of a text is shown, and what of it is marked.

import { describe, expect, test } from 'vitest'
import { matchIn } from '../../src/search/matched.ts'
import { parseQuery } from '../../src/search/query.ts'
import { snippetOf } from '../../src/search/snippet.ts'
import { randomOf } from '../random.ts'

/** The marked parts of the snippet. */
function marked(text: string, typed: string): readonly string[] {
  const { text: shown, marks } = snippetOf(text, matchIn(text, parseQuery(typed)))
  return marks.map(([from, to]) => shown.slice(from, to))
}

describe('marks', () => {
  test.each<[string, string, string, readonly string[]]>([
    ['a word', 'tide', 'The Tide turns, the tides turn', ['Tide']],
    ['no part of a word', 'tide', 'tides betide tide_table', ['tide']],
    ['several words', 'tide late', 'late tides and one late tide', ['late', 'late', 'tide']],
    ['a phrase', '"high water"', 'High-water is high, water', ['High-water', 'high, water']],
    ['a symbol', 'foo_bar', 'foo_bar and foo bar', ['foo_bar', 'foo bar']],
    ['a path', 'src/x.ts', 'see src/x.ts:14', ['src/x.ts']],
    ['a prefix', 'har*', 'harbours of Harwich, char', ['harbours', 'Harwich']],
    ['a short hash', '8c1f2ae', 'commit 8c1f2ae9d03b', ['8c1f2ae9d03b']],
    ['a whole hash', '8c1f2ae0b6a4c8d7f5e3a2b1c0d9e8f7a6b5c4d3', 'as 8c1f2ae on main', ['8c1f2ae']],
    ['either', 'moon OR sun', 'sun and moon', ['sun', 'moon']],
    ['what overlaps is one', 'tide "tide table"', 'a tide table', ['tide table']],
    ['accents', 'resume', 'the RÉSUMÉ', ['RÉSUMÉ']],
    ['accents typed', 'résumé', 'the resume', ['resume']],
    ['accents apart', 'résumé', 'the re\u0301sume\u0301.pdf', ['re\u0301sume\u0301']],
    ['accents apart, typed so', 're\u0301sume\u0301', 'the résumé', ['résumé']],
    ['ß', 'strasse', 'die Straße', ['Straße']],
    ['ss', 'Straße', 'die STRASSE', ['STRASSE']],
    ['İ', 'istanbul', 'İSTANBUL, Istanbul', ['İSTANBUL', 'Istanbul']],
    ['ı', 'diyarbakir', 'in Diyarbakır', ['Diyarbakır']],
    ['joined letters', 'file', 'the ﬁle', ['ﬁle']],
    ['wide letters', 'abc', 'ＡＢＣ', ['ＡＢＣ']],
    ['Chinese', '潮汐', '今天的潮汐表', ['潮汐']],
    ['one character', '汐', '今天的潮汐表', ['汐']],
    ['Japanese beside Latin', 'CSVは', 'このCSVは文字化け', ['CSVは']],
    ['kana written apart', 'が', 'か\u3099 が', ['か\u3099', 'が']],
    ['Korean', '주문', '주문이 중복', ['주문']],
    ['Korean written apart', '한글', '한글'.normalize('NFD'), ['한글'.normalize('NFD')]],
    ['Thai', 'บันทึก', 'ปุ่มบันทึกไม่', ['บันทึก']],
    ['a vowel at the end', 'ปี', 'สามปีที่', ['ปี']],
    ['behind emoji', 'tide', '🌊🌙 tide 🌊', ['tide']],
    ['emoji alone are no words', '🌊', 'the 🌊', []],
    ['what is not there', 'moon', 'the tide', []],
    ['not what is unwanted', 'tide -moon', 'tide and moon', ['tide']],
    ['a file', 'path:zone.ts', '/home/ada/src/zone.ts', ['zone.ts']],
  ])('%s', (_, typed, text, expected) => {
    expect(marked(text, typed)).toEqual(expected)
  })
})

describe('literals', () => {
  test.each([
    ['foo_bar', 'a foo_bar', true],
    ['foo_bar', 'a foo bar', false],
    ['foo_bar', 'a FOO_BAR', true],
    ['Größe_x', 'a grosse_x', true],
    ['文字', '文、字', false],
    ['ปุ่ม', 'ปม', false],
    ['tide 🌊', 'the tide', false],
    ['tide 🌊', 'the tide 🌊', true],
    ['tide, moon', 'tide and moon', true],
  ])('%s in %s', (typed, text, expected) => {
    expect(matchIn(text, parseQuery(typed)).isLiteral).toBe(expected)
  })
})

describe('the stretch that is shown', () => {
  test('where most of the matches stand', () => {
    const text = `tide ${'x '.repeat(400)}the tide was late ${'y '.repeat(400)}`
    const { text: shown } = snippetOf(text, matchIn(text, parseQuery('tide late')))
    expect(shown).toContain('the tide was late')
    expect(shown.startsWith('…') && shown.endsWith('…')).toBe(true)
  })

  test('a short text as it is', () => {
    expect(snippetOf('the tide', matchIn('the tide', parseQuery('tide')))).toEqual({
      text: 'the tide',
      marks: [[4, 8]],
    })
  })

  test('the beginning, where nothing matches', () => {
    const text = 'word '.repeat(100)
    expect(snippetOf(text, { places: [] }).text.startsWith('word word')).toBe(true)
  })

  test('never half a surrogate pair, and marks within it', () => {
    const random = randomOf(11)
    const pieces = ['😀', '👩‍👧', '潮', 'e\u0301', 'é', 'İ', 'ß', ' ', 'tide', 'x', '\n', '한', 'ปี', '𠮷']
    for (let round = 0; round < 500; round++) {
      const text = Array.from({ length: random.below(600) }, () => random.pick(pieces)).join('')
      const { text: shown, marks } = snippetOf(
        text,
        matchIn(text, parseQuery(random.pick(['tide', '潮', 'e', '𠮷', 'ti*']))),
      )
      expect(shown).not.toMatch(/^…?[\udc00-\udfff]|[\ud800-\udbff]…?$/)
      let last = 0
      for (const [from, to] of marks) {
        expect(from).toBeGreaterThanOrEqual(last)
        expect(to).toBeGreaterThan(from)
        expect(to).toBeLessThanOrEqual(shown.length)
        expect(shown.slice(from, to)).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/)
        last = to
      }
    }
  })
})

describe('five megabytes', () => {
  test.each<[string, string, string]>([
    ['words', 'tide moon', 'the harbour '.repeat(420_000)],
    ['one long word', 'aaaa*', 'a'.repeat(5_000_000)],
    ['a word in one long word', 'aa', 'a'.repeat(5_000_000)],
    ['spaces', '"a b c"', `a${' '.repeat(5_000_000)}`],
    ['a phrase that nearly matches', '"a a b"', 'a '.repeat(2_500_000)],
    ['Chinese', '潮汐', '潮'.repeat(5_000_000)],
    ['accents apart', 'tide', 'e\u0301'.repeat(2_500_000)],
    ['emoji', 'tide 🌊', '🌙'.repeat(2_500_000)],
    ['many words', Array.from({ length: 48 }, (_, index) => `w${index}`).join(' '), 'w1 w2 é '.repeat(600_000)],
  ])('of %s in bounded time', (_, typed, text) => {
    const started = performance.now()
    snippetOf(text, matchIn(text, parseQuery(typed)))
    expect(performance.now() - started).toBeLessThan(2000)
  })

  test.each([
    ['plain', 'the harbour '.repeat(420_000)],
    ['accented', 'der Häfen '.repeat(500_000)],
  ])('%s, found at the end', (_, text) => {
    expect(marked(`${text}the last Tide`, 'tide')).toEqual(['Tide'])
    expect(marked(`${text}the last Tïde 🌊`, 'tide')).toEqual(['Tïde'])
  })
})
