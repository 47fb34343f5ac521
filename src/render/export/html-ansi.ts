// Colours that a program printed, as classes. Of 256 and of 16 million colours the nearest of the sixteen is taken, so
// that they are readable on a light page and on a dark one. Every other sequence is shown as what it is.

import Anser from 'anser'
import { cleanText, lineEnds } from './clean.ts'
import { escapeHtml } from './html-escape.ts'

const NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const
const DECORATIONS: ReadonlySet<string> = new Set(['bold', 'dim', 'italic', 'underline', 'strikethrough'])

export function ansiHtml(text: string): string {
  if (!text.includes('\u001b[')) return escapeHtml(cleanText(text))
  return Anser.ansiToJson(onlyColours(lineEnds(text)), { json: true, use_classes: true, remove_empty: true })
    .map((piece) => {
      const classes = [
        colourOf(piece.fg, piece.fg_truecolor, ''),
        colourOf(piece.bg, piece.bg_truecolor, 'on-'),
        ...(piece.decorations ?? []).filter((one) => DECORATIONS.has(one)).map((one) => `a-${one}`),
      ].filter((one) => one !== '')
      const inner = escapeHtml(cleanText(piece.content))
      return classes.length === 0 || inner === '' ? inner : `<span class="${classes.join(' ')}">${inner}</span>`
    })
    .join('')
}

/** Other sequences would be dropped with what they do; colours written with colons are not understood. */
function onlyColours(text: string): string {
  return text.replace(/\u001b\[[0-9;]*:[0-9;:]*m/g, '').replace(/\u001b(?!\[[0-9;]*m)/g, '\\x1b')
}

function colourOf(name: string | null, rgb: string | null, lead: string): string {
  if (typeof name !== 'string') return ''
  const plain = /^ansi-(bright-)?([a-z]+)$/.exec(name)
  const known = NAMES.find((one) => one === plain?.[2])
  if (known !== undefined) return `a-${lead}${known}`
  const palette = /^ansi-palette-(\d+)$/.exec(name)?.[1]
  const [red, green, blue] = palette === undefined ? (rgb ?? '').split(',').map(Number) : paletteColour(Number(palette))
  return red === undefined || green === undefined || blue === undefined || Number.isNaN(red + green + blue)
    ? ''
    : `a-${lead}${nearest(red, green, blue)}`
}

/** The cube of 216 colours and the ramp of 24 greys behind it. */
function paletteColour(place: number): readonly number[] {
  if (place >= 232) return Array.from({ length: 3 }, () => 8 + (place - 232) * 10)
  const cube = place - 16
  return [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((level) => level * 51)
}

function nearest(red: number, green: number, blue: number): string {
  const most = Math.max(red, green, blue)
  const isHigh = (part: number): number => (part > most * 0.6 && most > 40 ? 1 : 0)
  const bits = isHigh(red) + 2 * isHigh(green) + 4 * isHigh(blue)
  return NAMES[bits] ?? 'black'
}
