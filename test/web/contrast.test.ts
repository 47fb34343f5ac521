// Every text can be read on everything it stands on, light and dark: WCAG AA, 4.5 to 1, and 3 to 1 for the outline of
// what can be pressed.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const WEB = join(import.meta.dirname, '..', '..', 'src', 'web')
const tokens = readFileSync(join(WEB, 'style', 'tokens.css'), 'utf8')
const themes = { light: coloursOf('light'), dark: coloursOf('dark') } as const
const LITERAL = /#[0-9a-f]{3,8}\b|\brgba?\(|\bhsla?\(/i

const GROUNDS = ['paper', 'raised', 'sunken', 'hover']
const PAIRS: readonly (readonly [text: string, grounds: readonly string[]])[] = [
  ['ink', [...GROUNDS, 'thread-soft', 'mark']],
  ['soft', GROUNDS],
  ['faint', GROUNDS],
  ['link', GROUNDS],
  ['thread', [...GROUNDS, 'thread-soft']],
  ['on-thread', ['thread']],
  ['good', [...GROUNDS, 'good-soft']],
  ['bad', [...GROUNDS, 'bad-soft']],
  ['warn', [...GROUNDS, 'warn-soft']],
  ['added-ink', ['added']],
  ['removed-ink', ['removed']],
]

describe.each(['light', 'dark'] as const)('%s', (theme) => {
  test.each(PAIRS)('%s', (text, grounds) => {
    const weak = grounds.filter((ground) => contrast(themes[theme], text, ground) < 4.5)
    expect(weak.map((ground) => `${text} on ${ground}: ${contrast(themes[theme], text, ground).toFixed(2)}`)).toEqual(
      [],
    )
  })

  test('outlines', () => {
    for (const ground of ['paper', 'raised', 'sunken'])
      expect(contrast(themes[theme], 'edge', ground)).toBeGreaterThan(3)
  })
})

test('every colour is told for light and for dark', () => {
  expect(Object.keys(themes.light).length).toBeGreaterThan(25)
  expect(tokens.replace(/light-dark\((?:[^()]|\([^()]*\))*\)/g, '').match(LITERAL)).toBeNull()
})

test('no other style has a colour of its own', () => {
  const styles = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.css'))
  expect(styles.length).toBeGreaterThan(5)
  expect(
    styles.filter((path) => !path.endsWith('tokens.css') && LITERAL.test(readFileSync(join(WEB, path), 'utf8'))),
  ).toEqual([])
})

function coloursOf(theme: 'light' | 'dark'): Readonly<Record<string, string>> {
  const told = tokens.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)
  return Object.fromEntries([...told].map(([, name, light, dark]) => [name, theme === 'light' ? light : dark]))
}

function contrast(colours: Readonly<Record<string, string>>, one: string, other: string): number {
  const [light = 0, dark = 0] = [brightness(colours[one]), brightness(colours[other])].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function brightness(hex = ''): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(hex.slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
