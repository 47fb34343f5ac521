// What is typed and what it is taken for. Nothing that is typed is an error.

import { describe, expect, test } from 'vitest'
import type { Query, Term } from '../../src/search/query.ts'
import { matchGroups, parseQuery, parseVerbatim } from '../../src/search/query.ts'
import { openSearch, SAMPLE } from './open-search.ts'
import { NOW_MS } from './relevance-archive.ts'

const search = await openSearch(SAMPLE, NOW_MS)

function told({ words, isPrefix, literal }: Term): string {
  return `${words.join(' ')}${isPrefix ? '*' : ''}${literal === null ? '' : ` (${literal})`}`
}

/** Groups with “|” between what either of is enough, then whatever else is asked for. */
function tellQuery({ groups, not, paths, tools, commands }: Query): readonly string[] {
  const named = { not, path: paths, tool: tools, cmd: commands }
  const others = Object.entries(named).flatMap(([name, terms]) => terms.map((term) => `${name}: ${told(term)}`))
  return [...groups.map((group) => group.map(told).join(' | ')), ...others]
}

describe('what is typed means', () => {
  test.each([
    ['tide tables', ['tide', 'tables']],
    ['  tide \t tables\n', ['tide', 'tables']],
    ['tide tide', ['tide']],
    ['"tide tables"', ['tide tables']],
    ['"tide tables', ['tide tables']],
    ['tide"', ['tide']],
    ['"tide, tables"', ['tide tables (tide, tables)']],
    ['har*', ['har*']],
    ['"high wat"*', ['high wat*']],
    ['har**', ['har (har**)']],
    ['tide -moon', ['tide', 'not: moon']],
    ['tide -"new moon"', ['tide', 'not: new moon']],
    ['moon OR sun', ['moon | sun']],
    ['moon OR sun OR "new star" tide', ['moon | sun | new star', 'tide']],
    ['sun moon sun OR star', ['sun | star', 'moon']],
    ['moon or sun', ['moon', 'or', 'sun']],
    ['"OR"', ['OR']],
    ['OR moon', ['moon']],
    ['moon OR', ['moon']],
    ['OR OR', []],
    ['moon OR OR sun', ['moon | sun']],
    ['path:zone.ts', ['path: zone ts (zone.ts)']],
    ['file:zone.ts', ['path: zone ts (zone.ts)']],
    ['tool:Bash rebase', ['rebase', 'tool: Bash']],
    ['cmd:"git push"', ['cmd: git push']],
    ['Command:git', ['cmd: git']],
    ['path:', ['path']],
    ['path: zone', ['path', 'zone']],
    ['error:foo', ['error foo (error:foo)']],
    ['note:"two words"', ['note two words']],
    ['https://example.com/a?b=c', ['https example com a b c (https://example.com/a?b=c)']],
    ['foo_bar', ['foo bar (foo_bar)']],
    ['a.b.c', ['a b c (a.b.c)']],
    ['(src/x.ts),', ['src x ts (src/x.ts)']],
    ['C++', ['C (C++)']],
    ["doesn't", ["doesn t (doesn't)"]],
    ['潮汐', ['潮 汐 (潮汐)']],
    ['Straße', ['Strasse (Straße)']],
    ['npm ci --no-audit -n', ['npm', 'ci', 'no audit (--no-audit)', 'n (-n)']],
    ['-XX:MaxRAMPercentage=50', ['XX MaxRAMPercentage 50 (-XX:MaxRAMPercentage=50)']],
    ['-moon', ['moon (-moon)']],
    ['tool:Bash -npm', ['not: npm', 'tool: Bash']],
    ['-', []],
    ['--', []],
    ['*', []],
    ['""', []],
    ['" "', []],
    ['', []],
    ['🌊', []],
    ['🌊 tide', ['tide']],
    ['☀️ tide', ['tide']],
    ['tide\u0000moon', ['tide moon (tide\u0000moon)']],
    ['\ud83c tide', ['tide']],
  ])('%j', (typed, expected) => {
    expect(tellQuery(parseQuery(typed))).toEqual(expected)
  })
})

test('a short hash also means longer ones, a whole one also what tools print of it', () => {
  expect(matchGroups(parseQuery('8c1f2ae'))).toBe('"8c1f2ae" *')
  expect(matchGroups(parseQuery('deadbeef'))).toBe('"deadbeef"')
  const whole = matchGroups(parseQuery('8c1f2ae0b6a4c8d7f5e3a2b1c0d9e8f7a6b5c4d3'))
  expect(whole).toContain('OR "8c1f2ae"')
})

test('a minus may be a part of what was pasted', () => {
  expect(parseVerbatim('docker prune')).toBeNull()
  const query = parseVerbatim('docker prune -af') as Query
  expect(query.isVerbatim).toBe(true)
  expect(tellQuery(query)).toEqual(['docker', 'prune', 'af (-af)'])
})

test('the words in their order, where no operator says otherwise', () => {
  expect(parseQuery('the tide "of today" foo_bar').inOrder).toEqual(['the', 'tide', 'of', 'today', 'foo', 'bar'])
  for (const typed of ['tide OR moon', 'tide har*']) expect(parseQuery(typed).inOrder).toEqual([])
})

describe('never an exception', () => {
  const letters = [...'"-*():^{}[]+~,.;\'\\/ ORand\0\ud83c潮é']
  const random = (seed: number): string => {
    let state = seed
    return Array.from({ length: 1 + (seed % 40) }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return letters[Math.floor((state / 4294967296) * letters.length)]
    }).join('')
  }
  test.each<[string, string]>([
    ['nothing', ''],
    ['spaces', ' \n\t '],
    ['a quote', '"'],
    ['three quotes', '"""'],
    ['a quote that does not end', 'tide "moon'],
    ['only operators', 'OR - * " path: NOT AND NEAR'],
    ['the syntax of FTS5', 'tide AND (moon NOT sun) NEAR(a b, 3) ^x {prompt}: y + z'],
    ['a column of FTS5', 'prompt:tide -reply:moon'],
    ['the syntax of SQL', `'; DROP TABLE doc; --`],
    ['percent and underscore', '%_%_%_%'],
    ['a backslash at the end', 'tide\\'],
    ['brackets', '((((((((((tide'],
    ['a NUL', 'tide\0moon'],
    ['only NULs', '\0\0\0'],
    ['a lone surrogate', '\ud83c'],
    ['lone surrogates in a word', 'ti\udc00de'],
    ['emoji', '🌊🌙'],
    ['emoji of several parts', '👩‍👩‍👧‍👦 🇩🇪 ☀️'],
    ['marks without letters', '\u0301\u0301 \ufe0f'],
    ['an accent after a space', 'tide \u0301moon'],
    ['İ', 'İSTANBUL ıI'],
    ['ß', 'ẞß ŉ ﬁ ½ ⑴'],
    ['right to left', 'שלום مرحبا'],
    ['Hindi', 'हिन्दी में'],
    ['private use', '\ue000\uf8ff'],
    ['letters younger than the tokenizer', '𞤀𞤁 ꟸ 𖹀'],
    ['a very long word', 'a'.repeat(100_000)],
    ['a very long hash', '8c1f'.repeat(20_000)],
    ['ten thousand words', Array.from({ length: 10_000 }, (_, index) => `w${index}`).join(' ')],
    ['ten thousand words in quotes', `"${Array.from({ length: 10_000 }, (_, index) => `w${index}`).join(' ')}"`],
    ['ten thousand alternatives', Array.from({ length: 10_000 }, (_, index) => `w${index}`).join(' OR ')],
    ['ten thousand negations', `tide ${Array.from({ length: 10_000 }, (_, index) => `-w${index}`).join(' ')}`],
    ['ten thousand fields', Array.from({ length: 10_000 }, (_, index) => `path:w${index}`).join(' ')],
    ['ten thousand quotes', '"'.repeat(10_000)],
    ['ten thousand minuses', '-'.repeat(10_000)],
    ['ten thousand Chinese characters', '潮'.repeat(10_000)],
    ['an id that does not exist', '00000000-0000-4000-8000-000000000000'],
    ['a reference that does not exist', '00000000#00000000'],
    ['a reference with odd parts', '%%%%%%/__#----'],
    ['a tool call that does not exist', 'toolu_'],
    ...Array.from({ length: 300 }, (_, seed): [string, string] => [`random ${seed}`, random(seed + 1)]),
  ])('%s', (_, typed) => {
    expect(() => parseQuery(typed)).not.toThrow()
    const started = performance.now()
    const { hits } = search(typed)
    expect(hits.length).toBeLessThanOrEqual(20)
    expect(performance.now() - started).toBeLessThan(2000)
  })
})
