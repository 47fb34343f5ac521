// What the loader writes of the words of docs is what FTS5 writes of them itself: the same rows of the same tables, to the
// byte. FTS5 can then do everything with it: find, delete, merge, and say that nothing is amiss.

import { afterAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/search/database.ts'
import { openDatabase } from '../../src/search/database.ts'
import type { PackedDocs } from '../../src/search/docs.ts'
import { startBulk } from '../../src/search/tuning.ts'
import { openWordLoader } from '../../src/search/word-loader.ts'
import type { WordWriter } from '../../src/search/word-rows.ts'
import { WordRows } from '../../src/search/word-rows.ts'
import type { Random } from '../random.ts'
import { randomOf } from '../random.ts'

/** prompt, reply, thinking; tools, files, commands, output */
type Doc = readonly [string, string, string, string, string, string, string]
/** Each list is committed for itself. */
type Commits = readonly (readonly Doc[])[]

const isLong = process.env['CLEW_LONG'] === '1'
const histories = Number(process.env['CLEW_WORDS'] ?? (isLong ? 400 : 40))
const seed = Number(process.env['CLEW_WORDS_SEED'] ?? 20261118)

const opened: Database[] = []
afterAll(() => {
  for (const database of opened) database.close()
})

const said = (...texts: readonly string[]): readonly Doc[] => texts.map((text) => [text, '', '', '', '', '', ''])
const many = (count: number, text: (at: number) => string): readonly Doc[] =>
  said(...Array.from({ length: count }, (_, at) => text(at)))

const CASES: Readonly<Record<string, Commits>> = {
  'no doc at all': [[]],
  'docs without a word': [said('', '…', ' \n\0\t', '—', '🙂', '\u0301\u0302')],
  'one word': [said('tide')],
  'all columns of both tables': [[['a b', 'b c a', 'c', 'Bash', 'src/a.ts', 'git push', 'a b c']]],
  'the same word in every column': [[['a', 'a a', 'a', 'a', 'a', 'a', 'a']], [['', '', 'a', '', '', '', 'a']]],
  'a doc in one table, the next in the other': [
    [
      ['a', '', '', '', '', '', ''],
      ['', '', '', 'b', '', '', ''],
      ['c', '', '', '', '', '', ''],
    ],
  ],
  'letters of one to four bytes': [
    said('Ünïcödé ÅNGSTRÖM ﬁ Ⅷ ² ½ ß ẞ ſ K Å 𝔘𝔫𝔦 𐐀𐐨 Ĳ ǅ İı σς Σ', 'й й е́ e\u0301x x\u0301 a\u0301'),
  ],
  'scripts without spaces': [said('潮 汐 表 は 日 本 時 間', 'ฉัน ไทย កម្ពុជា မြန်မာ 한 국 어', '𠀀 𠀁 ｱ ｶﾞ')],
  'marks, joiners, private characters, the last of all': [
    said(
      '\u200d a\u200db \ue000x \u{f0000} \u{10ffff} \ufffd \ufeffa',
      'a\u0300\u0301b \u0300a',
      '👩\u200d👩\u200d👧 \u20e3 1\u20e3',
    ),
  ],
  'words of every length up to 70, in capitals and not': [
    many(70, (at) => `${'aB'.repeat(40).slice(0, at + 1)} ${'x9'.repeat(40).slice(0, at + 1)}. ${'é'.repeat(at + 1)}`),
  ],
  'texts that end at every place of sixteen': [many(40, (at) => 'ab '.repeat(20).slice(0, at))],
  'words that share much': [
    many(300, (at) => `thesamebeginningofaverylongword${at} thesamebeginningofaverylongword${at % 7}`),
  ],
  'words as long as a page, and longer than a word may be': [
    said(
      'a'.repeat(4000),
      'a'.repeat(4060),
      'b'.repeat(9000),
      'c'.repeat(32_767),
      'd'.repeat(32_768),
      'd'.repeat(40_000),
    ),
    said('e'.repeat(32_760) + 'é'.repeat(20), 'z'),
  ],
  'terms that fill leaves': [many(2500, (at) => `w${at} w${at * 7919} common`)],
  'a word on so many leaves that they have a list': [many(30_000, (at) => `the the${at % 3}`)],
  'words on one to eight leaves': [many(1830, (at) => `w${Math.floor(Math.sqrt(2 * at))} `.repeat(500))],
  'one doc over many leaves': [said('a '.repeat(30_000), `${'b '.repeat(9000)}c ${'b '.repeat(9000)}`, 'a b c')],
  'leaves on which no doc begins': [many(12, () => 'a '.repeat(130_000))],
  'positions with gaps of every size': [
    said(`a ${'b '.repeat(125)}a ${'c '.repeat(17_000)}a`, `a ${'b '.repeat(126)}a`),
  ],
  'positions whose size takes two, three bytes': [many(140, (at) => 'a '.repeat(at)), said('a '.repeat(9000))],
  'ids far apart': [many(3, () => 'a'), [], many(200, (at) => (at % 50 === 0 ? 'a b' : ''))],
  'commits one by one': Array.from({ length: 12 }, (_, at) => said(`tide ${at}`, 'moon')),
}

describe('the words of a first build', () => {
  for (const [name, commits] of Object.entries(CASES)) test(name, () => same(commits))

  test('a list of leaves so long that it has a list of its own', () => {
    same([many(1500, () => 'a '.repeat(4000))], 1 << 20)
  }, 60_000)

  test('tables of a form that is not known are left to FTS5', () => {
    const database = openDatabase(null)
    opened.push(database)
    expect(openWordLoader(database)).not.toBeInstanceOf(WordRows)
    database.enableDefensive(false)
    database.exec("UPDATE done_config SET v = 5 WHERE k = 'version'")
    expect(openWordLoader(database)).toBeInstanceOf(WordRows)
    database.exec("UPDATE done_config SET v = 4 WHERE k = 'version'")
    database.exec("UPDATE said_data SET block = x'00000000' || x'000000' WHERE id = 10")
    expect(openWordLoader(database)).toBeInstanceOf(WordRows)
  })

  test(`${histories} random builds`, () => {
    for (let at = 0; at < histories; at++) {
      try {
        same(randomCommits(randomOf(seed + at)))
      } catch (error) {
        if (error instanceof Error) error.message = `CLEW_WORDS_SEED=${seed + at}\n${error.message}`
        throw error
      }
    }
  }, 300_000)

  test(isLong ? 'every character there is' : 'every character of the first four planes', () => {
    const count = isLong ? 0x110000 : 0x40000
    const codes = Array.from({ length: count }, (_, code) => code).filter((code) => code < 0xd800 || code > 0xdfff)
    const texts = Array.from({ length: Math.ceil(codes.length / 4096) }, (_, at) =>
      codes
        .slice(at * 4096, (at + 1) * 4096)
        .map((code) => `x${String.fromCodePoint(code)}y ${String.fromCodePoint(code)}`)
        .join(' '),
    )
    // Few enough at once that FTS5 need not divide them.
    same(texts.map((text) => said(text)))
  }, 60_000)
})

/** `step` is between the ids of two docs. */
function same(commits: Commits, step = 1): void {
  const plain = built(commits, step, (database) => new WordRows(database))
  const loaded = built(commits, step, openWordLoader)
  expect(firstDifference(loaded, plain)).toBeNull()
  // FTS5 goes on from there: with what comes later, what is deleted, and all of it merged.
  for (const database of [plain, loaded]) {
    check(database)
    const last = (database.prepare('SELECT max(id) AS id FROM said_docsize').get() as { readonly id: number | null }).id
    database.prepare('DELETE FROM said WHERE rowid = ?').run(last ?? 0)
    database.exec("INSERT INTO said(rowid, prompt) VALUES(1000001, 'the tide of a new day')")
    check(database)
    database.exec("INSERT INTO said(said) VALUES('optimize'); INSERT INTO done(done) VALUES('optimize')")
    check(database)
  }
  expect(firstDifference(loaded, plain)).toBeNull()
  for (const database of opened.splice(0)) database.close()
}

function built(commits: Commits, step: number, open: (database: Database) => WordWriter): Database {
  const database = openDatabase(null)
  opened.push(database)
  startBulk(database)
  const words = open(database)
  let id = 1
  for (const docs of commits) {
    database.exec('BEGIN')
    // Some at a time, as they come from a reader.
    const atOnce = step === 1 ? 700 : 1
    for (let at = 0; at < docs.length; at += atOnce) {
      const some = docs.slice(at, at + atOnce)
      words.add(packed(some), id)
      id += some.length * step
    }
    words.write()
    database.exec('COMMIT')
    id += 1000
  }
  words.close()
  return database
}

function packed(docs: readonly Doc[]): PackedDocs {
  const texts = docs.flat().map((text) => Buffer.from(text))
  const numbers = docs.flatMap((_, doc) => [doc, 0, ...texts.slice(doc * 7, doc * 7 + 7).map(({ length }) => length)])
  return {
    texts: new Uint8Array(Buffer.concat(texts)),
    numbers: Int32Array.from(numbers),
    places: new Float64Array(0),
    taken: 0,
  }
}

const TABLES = ['said', 'done'].flatMap((name) => ['data', 'idx', 'docsize', 'config'].map((part) => `${name}_${part}`))

function firstDifference(one: Database, other: Database): string | null {
  for (const table of TABLES) {
    const rows = rowsOf(one, table)
    const expected = rowsOf(other, table)
    const at = expected.findIndex((row, place) => row !== rows[place])
    if (at >= 0) return `${table}: ${rows[at]?.slice(0, 400)} where FTS5 has ${expected[at]?.slice(0, 400)}`
    if (rows.length > expected.length) return `${table}: ${rows.length} rows where FTS5 has ${expected.length}`
  }
  return null
}

function rowsOf(database: Database, table: string): readonly string[] {
  const rows = database.prepare(`SELECT * FROM ${table}`).all() as unknown as readonly Record<string, unknown>[]
  return rows.map((row) =>
    Object.values(row)
      .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('base64') : String(value)))
      .join(' '),
  )
}

/** Throws where a table is not in order. */
function check(database: Database): void {
  database.exec("INSERT INTO said(said) VALUES('integrity-check'); INSERT INTO done(done) VALUES('integrity-check')")
}

const LETTERS = [
  ...'abcABCxyz0189 _-.…éÉßå\u0301\0\n',
  '潮',
  '🙂',
  '𐐀',
  'ﬁ',
  'x'.repeat(17),
  'y'.repeat(33),
  'tide ',
  ' ',
]

function randomCommits({ below, chance, pick }: Random): Commits {
  const text = (): string => {
    const length = chance(0.4) ? 0 : below(chance(0.05) ? 6000 : 60)
    return Array.from({ length }, () => pick(LETTERS)).join('')
  }
  const doc = (): Doc => [text(), text(), text(), text(), text(), text(), text()]
  return Array.from({ length: 1 + below(4) }, () => Array.from({ length: below(chance(0.1) ? 900 : 40) }, doc))
}
