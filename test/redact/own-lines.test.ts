// Secrets on lines below each other: each is found by itself, and nothing of any is left.

import { describe, expect, test } from 'vitest'
import { createRedactor } from '../../src/redact/redactor.ts'
import { randomOf } from '../random.ts'
import { KINDS, leaksOf, NOT_SECRET, plant } from './planted.ts'

const rulesIn = (text: string): readonly string[] =>
  createRedactor()
    .text(text)
    .findings.map(({ rule }) => rule)
const leaksIn = (written: string, secret: string): readonly string[] =>
  leaksOf(secret, createRedactor().text(written).text).filter((leak) => !NOT_SECRET.exec(secret)?.[0].includes(leak))
const letters = randomOf(7)
const some = (length: number): string =>
  Array.from({ length }, () => 'ABCDEFGHJKMNPQRSTUVWXYZabcdefghkmnpqrstuvwxyz23456789'.charAt(letters.below(53))).join(
    '',
  )

describe('on lines below each other', () => {
  const [one, two, three] = [`ghp_${some(36)}`, `npm_${some(36)}`, `glpat-${some(40)}`]

  test.each([
    ['tokens', `${one}\n${two}\n${three}\n`, ['github-token', 'npm-token', 'gitlab-token']],
    ['tokens of one kind', `${one}\r\n    ghp_${some(36)}`, ['github-token', 'github-token']],
    [
      'a file of variables',
      `GITHUB_TOKEN=${one}\nNPM_TOKEN="${two}"\nDB_PASSWORD=${some(40)}\nAPI_KEY=${some(40)}\n`,
      ['github-token', 'npm-token', 'password', 'api-key'],
    ],
    ['settings', `github_token: ${one}\nclientSecret: ${some(40)}\nother: 12`, ['github-token', 'secret']],
  ])('%s: as many Findings', (_, text, rules) => {
    expect(rulesIn(text)).toEqual(rules)
  })

  test('names and line ends between them stay', () => {
    const { text } = createRedactor().text(`GITHUB_TOKEN=${one}\nNPM_TOKEN=${two}\n`)
    expect(text).toBe('GITHUB_TOKEN=⟦secret:github-token:1⟧\nNPM_TOKEN=⟦secret:npm-token:2⟧\n')
  })

  test('one that was broken in two is still one', () => {
    const long = `sk-ant-api03-${some(93)}AA`
    const broken = `${long.slice(0, 70)}\n${long.slice(70)}`
    expect(rulesIn(broken)).toEqual(['anthropic-key'])
    expect(leaksIn(`${one}\n${broken}\n${two}`, long)).toEqual([])
  })

  test('no part of any is left, whatever their kinds', () => {
    const random = randomOf(20_261_118)
    const leaked: string[] = []
    for (let round = 0; round < 800; round++) {
      const planted = [0, 1, 2].map(() => plant(random, random.below(KINDS.length)))
      const glue = random.pick(['\n', '\r\n', '\n  ', '\\\n', '\n\t'])
      const isBare = random.below(2) === 0
      const written = planted.map(({ text, secret }) => (isBare ? secret : text)).join(glue)
      // Without its surroundings it may be nobody's Secret.
      const known = planted.filter(({ text, secret }) => leaksIn(isBare ? secret : text, secret).length === 0)
      for (const { kind, secret } of known) if (leaksIn(written, secret).length > 0) leaked.push(`${kind}: ${written}`)
    }
    expect(leaked.slice(0, 5), `${leaked.length} leaked`).toEqual([])
  })
})
