// Beside ripgrep: every decoded text of a small archive is written to a file of its own, and what `rg -a` finds there
// must be found in the archive, however it is spelled, cut, glued or spilled.

import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { scanFiles } from '../../src/search/scan.ts'
import type { ScanPattern, ScanTarget } from '../../src/search/scan-model.ts'
import type { Random } from '../random.ts'
import { randomOf } from '../random.ts'
import { allTexts, exact, exactAnyCase, hitsIn, newFolder, regex, spell, writeTarget } from './scan-case.ts'

const hasRipgrep = spawnSync('rg', ['--version']).status === 0
if (!hasRipgrep) console.warn('test/search/scan-ripgrep.test.ts is skipped: there is no rg on the PATH')

const WORDS = [
  ...[
    'tide',
    'Tide',
    'TIDE',
    'watch',
    'harbour',
    'say "ahoy"',
    'C:\\boats\\new',
    'src/tides/day.ts',
    'a\tb',
    'one\ntwo',
  ],
  ...[
    '\r\n',
    'naïve',
    'NAÏVE',
    'Straße',
    'straſse',
    '日本語',
    '🌊',
    '👩‍👩‍👧',
    '𝒳y',
    '\u2028',
    'nul\0nul',
    '\u001b[31mred',
  ],
  ...[
    '\\n',
    '\\u0041',
    '{"type":"user"}',
    '<b>&amp;</b>',
    '10K',
    '10\u212a',
    'é',
    'e\u0301',
    "it's",
    '\u007f',
    '\ufeffmark',
  ],
]

interface Archive {
  readonly targets: readonly ScanTarget[]
  /** Each text in a file whose name begins with the place it was taken from. */
  readonly dump: string
  readonly texts: readonly string[]
}

function makeArchive(seed: number): Archive {
  const random = randomOf(seed)
  const folder = newFolder()
  const dump = join(folder, 'dump')
  mkdirSync(dump)
  const texts: string[] = []
  const tell = (place: string, text: string): void => {
    writeFileSync(join(dump, `${place} ${texts.length}`), text)
    texts.push(text)
  }
  const targets = Array.from({ length: 8 }, (_, file) => {
    const lineEnd = file === 3 ? '\r\n' : '\n'
    let written = file === 4 ? '\ufeff' : ''
    for (let line = 1; line <= 25; line++) {
      const { bytes, decoded } = random.pick(LINES)(random)
      for (const text of decoded) tell(`${file}:${line}`, text)
      written += bytes + (line === 25 && file % 2 === 0 ? '' : lineEnd)
    }
    return writeTarget(folder, `${file}.jsonl`, written)
  })
  const spills = Array.from({ length: 3 }, (_, file) => {
    const text = prose(random, 200)
    tell(`${targets.length + file}:spill`, text)
    return writeTarget(folder, `${file}.txt`, text)
  })
  return { targets: [...targets, ...spills], dump, texts }
}

interface MadeLine {
  readonly bytes: string
  readonly decoded: readonly string[]
}

const LINES: readonly ((random: Random) => MadeLine)[] = [
  (random) => recordLine(random, { type: 'user', uuid: 'u', message: { role: 'user', content: prose(random, 8) } }),
  (random) =>
    recordLine(random, {
      type: 'assistant',
      message: { content: [1, 2, 3].map(() => ({ type: 'text', text: prose(random, 2) })) },
    }),
  (random) => {
    const content = prose(random, 6)
    return recordLine(random, {
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content }] },
      toolUseResult: { stdout: content, stderr: prose(random, 1) },
    })
  },
  (random) =>
    recordLine(random, { type: 'attachment', attachment: { type: 'file', content: { text: prose(random, 5) } } }),
  (random) => recordLine(random, { type: 'progress', data: { message: { deep: [[prose(random, 3)]] } } }),
  (random) => recordLine(random, { type: 'summary', summary: prose(random, 2), leafUuid: 'leaf' }),
  // Longer than a window.
  (random) => {
    const body = { type: 'user', message: { content: 'hay '.repeat(35_000) + prose(random, 3) } }
    return { bytes: JSON.stringify(body), decoded: allTexts(body) }
  },
  // Cut off by a killed writer.
  (random) => {
    const text = prose(random, 6)
    const bytes = `{"type":"user","message":{"content":"${JSON.stringify(text).slice(1, -1)}`
    return { bytes, decoded: [text, bytes] }
  },
  () => ({ bytes: '', decoded: [] }),
]

function recordLine(random: Random, body: object): MadeLine {
  const share = random.pick([0, 0, 0, 0.1, 1])
  return { bytes: share === 0 ? JSON.stringify(body) : spell(body, random, share), decoded: allTexts(body) }
}

function prose(random: Random, wordCount: number): string {
  return Array.from({ length: wordCount }, () => random.pick(WORDS)).join(random.pick([' ', ' ', '', '\n']))
}

/** The places whose texts ripgrep finds the pattern in. */
function ripgrep(dump: string, words: readonly string[]): ReadonlySet<string> {
  const ran = spawnSync('rg', ['--no-config', '-a', '-U', '-l', '-E', 'none', '--null', ...words, dump], {
    encoding: 'utf8',
  })
  if (ran.status !== 0 && ran.status !== 1) throw new Error(ran.stderr)
  const paths = ran.stdout.split('\0').filter((path) => path !== '')
  return new Set(paths.map((path) => path.slice(dump.length + 1).split(' ', 1)[0] ?? ''))
}

async function clew(targets: readonly ScanTarget[], pattern: ScanPattern): Promise<ReadonlySet<string>> {
  const hits =
    pattern.kind === 'exact'
      ? (await scanFiles(targets, pattern)).hits
      : targets.flatMap((target) => hitsIn(target, pattern))
  const numbers = new Map(targets.map(({ path }, index) => [path, index]))
  return new Set(hits.map(({ path, isSpill, line }) => `${numbers.get(path)}:${isSpill ? 'spill' : line}`))
}

function needlesOf({ texts }: Archive, random: Random): readonly string[] {
  const pieces = Array.from({ length: 60 }, () => {
    const characters = Array.from(random.pick(texts))
    const start = random.below(characters.length + 1)
    return characters.slice(start, start + 1 + random.below(15)).join('')
  })
  // No program can be handed a NUL byte in a word.
  return [...new Set([...WORDS, ...pieces, 'not there'])].filter((needle) => needle !== '' && !needle.includes('\0'))
}

const REGEXES = [
  '[Tt]ide',
  'ha.bour',
  'a.?🌊',
  '^two',
  'harbour\\s+tide',
  '(?:tide|watch){2}',
  '\\d+K',
  'say\\W+ahoy',
  'tide|day',
]

describe.skipIf(!hasRipgrep)(`what rg finds is found${hasRipgrep ? '' : ' (skipped: no rg on the PATH)'}`, () => {
  test.each([1, 2])('seed %i', async (seed) => {
    const archive = makeArchive(seed)
    expect(readdirSync(archive.dump).length).toBeGreaterThan(200)
    let foundCount = 0
    for (const needle of needlesOf(archive, randomOf(seed))) {
      const places = ripgrep(archive.dump, ['-F', '-e', needle])
      foundCount += places.size
      const own = await clew(archive.targets, exact(needle))
      expect([needle, difference(places, own), difference(own, places)]).toEqual([needle, [], []])
    }
    for (const needle of WORDS.filter((word) => !word.includes('\0'))) {
      const places = ripgrep(archive.dump, ['-F', '-i', '-e', needle])
      expect([needle, difference(places, await clew(archive.targets, exactAnyCase(needle)))]).toEqual([needle, []])
    }
    for (const source of REGEXES) {
      const places = ripgrep(archive.dump, ['-e', source])
      foundCount += places.size
      expect([source, difference(places, await clew(archive.targets, regex(source)))]).toEqual([source, []])
    }
    expect(foundCount).toBeGreaterThan(1000)
  })
})

function difference(all: ReadonlySet<string>, known: ReadonlySet<string>): readonly string[] {
  return [...all].filter((place) => !known.has(place)).sort()
}
