// Every text can be read on everything it stands on, light and dark: WCAG AA, 4.5 to 1, and 3 to 1 for the outline of
// what can be pressed.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const WEB = join(import.meta.dirname, '..', '..', 'src', 'web')
const tokens = readFileSync(join(WEB, 'style', 'tokens.css'), 'utf8')

const themes = {
  light: coloursAfter(':root {'),
  dark: coloursAfter(':root[data-theme="dark"] {'),
} as const

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

test('dark is the same, whoever asks for it', () => {
  expect(coloursAfter(':root:not([data-theme="light"]) {')).toEqual(themes.dark)
  expect(Object.keys(themes.light)).toEqual(Object.keys(themes.dark))
})

test('no other style has a colour of its own', () => {
  const styles = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.css'))
  const literal = /#[0-9a-f]{3,8}\b|\brgba?\(|\bhsla?\(/i
  expect(styles.length).toBeGreaterThan(5)
  expect(
    styles.filter((path) => !path.endsWith('tokens.css') && literal.test(readFileSync(join(WEB, path), 'utf8'))),
  ).toEqual([])
})

function coloursAfter(selector: string): Readonly<Record<string, string>> {
  const block = tokens.slice(tokens.indexOf(selector)).split('}', 1)[0] ?? ''
  return Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]))
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
